import { Dialect } from '../../sandbox/dialect.ts'
import { post } from '../../sandbox/post.ts'
import { sign } from '../../sandbox/signature.ts'
import type { Playing } from './acts.ts'
import { outcomeRows } from './say.ts'
import { answerOf, attempt, settled } from './watching.ts'

/** Two channels want it, and one does not. */
const change = { type: 'censorship_spike', model: 'gemini', category: 'safety', delta: 9 }

export async function isDelivered({ stage, say, messages }: Playing): Promise<void> {
  const { id } = stage.service.fire(change)
  const answer = answerOf(await attempt(stage, id, 1))
  const row = await settled(stage, id)
  say.line(`${id}: ${answer}, once it was on disk. Each channel has its own filters:`)
  say.rows(outcomeRows(row))
  say.block(messages[0] ?? '')
}

export async function isRepeated({ stage, say }: Playing): Promise<void> {
  const id = stage.service.deliveries()[0]?.eventId ?? ''
  stage.service.fire({ ...change, id })
  say.line(`${id}: ${answerOf(await attempt(stage, id, 2))}. It is known, and nothing is sent.`)
}

export async function isForged({ stage, say }: Playing): Promise<void> {
  const { clock, stopped, line, control } = stage
  const id = 'evt_forged'
  const data = { category: 'political', delta: '+40pp', detected_at: new Date(clock.now()).toISOString() }
  const body = Buffer.from(JSON.stringify({ id, type: 'policy_change', model: 'claude', data }))
  const headers = { 'X-Service-Signature': sign(body, 'whsec_of-somebody-else', Dialect.parse({})) }
  const answer = await post(`${line.origin}/webhook`, headers, body, { clock, signal: stopped })
  const isStored = (await control.event(id)) !== undefined
  const came = isStored ? 'It is stored.' : 'Nothing is stored, and nothing is sent.'
  say.line(`"Claude, political, +40pp", signed with another secret: ${answerOf(answer)}. ${came}`)
}
