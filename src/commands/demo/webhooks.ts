import { counted } from '../../platform/text.ts'
import { ServiceDialect } from '../../service/sandbox/dialect.ts'
import { post } from '../../service/sandbox/post.ts'
import { sign } from '../../service/sandbox/signature.ts'
import type { DemoContext } from './playing.ts'
import { outcomeRows } from './say.ts'
import { answerOf, attempt, settled } from './watching.ts'

/** Two channels want it, and one does not. */
export const byWebhook = { type: 'censorship_spike', model: 'gemini', category: 'safety', delta: 9 }

export async function isDelivered({ stage, say, messages }: DemoContext): Promise<void> {
  const { id } = stage.service.fire(byWebhook)
  const answer = answerOf(await attempt(stage, id, 1))
  const row = await settled(stage, id)
  say.line(`${id}: ${answer}, once it was on disk. Each channel has its own filters:`)
  say.rows(outcomeRows(row))
  say.block(messages[0] ?? '')
}

export async function isRepeated({ stage, say, messages }: DemoContext): Promise<void> {
  const id = stage.service.deliveries()[0]?.eventId ?? ''
  const before = messages.length
  stage.service.fire({ ...byWebhook, id })
  const answer = answerOf(await attempt(stage, id, 2))
  say.line(`${id}: ${answer}. It is known, and ${sent(messages.length - before)}.`)
}

export async function isForged({ stage, say, messages }: DemoContext): Promise<void> {
  const { clock, stopped, line, control } = stage
  const before = messages.length
  const id = 'evt_forged'
  const data = { category: 'political', delta: '+40pp', detected_at: new Date(clock.now()).toISOString() }
  const body = Buffer.from(JSON.stringify({ id, type: 'policy_change', model: 'claude', data }))
  const headers = { 'X-Service-Signature': sign(body, 'whsec_of-somebody-else', ServiceDialect.parse({})) }
  const answer = await post(`${line.origin}/webhook`, headers, body, { clock, signal: stopped })
  const isStored = (await control.event(id)) !== undefined
  say.line(`"Claude, political, +40pp", signed with another secret: ${answerOf(answer)}.`)
  say.line(`${isStored ? 'It is' : 'Nothing is'} stored, and ${sent(messages.length - before)}.`)
}

function sent(count: number): string {
  return count === 0 ? 'nothing is sent' : `${counted(count, 'message')} went out`
}
