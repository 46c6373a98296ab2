import { minuteMs } from '../../durations.ts'
import { isFinding } from '../../event/event.ts'
import type { Outcome } from '../../event/outcome.ts'
import { headline } from '../../render/words.ts'
import type { Playing } from './acts.ts'
import { difference } from './difference.ts'
import { outcomeRows } from './say.ts'
import { answerOf, attempt, noticeOf, pollingOf, settled } from './watching.ts'

/** All channels want it, and nobody can miss it in the figures: six standard errors of 200 prompts. */
const change = { type: 'censorship_spike', model: 'claude', category: 'political', delta: 20 }

/** From one reading of the figures to the next while webhooks are healthy. */
const crossCheckMs = 15 * minuteMs
/** A change without a delivery counts after half an hour; operators are notified when that has lasted for five minutes. */
const untoldMs = 31 * minuteMs
const graceMs = 6 * minuteMs

export async function isFoundByPolling({ stage, say }: Playing): Promise<void> {
  stage.line.cut()
  const { id } = stage.service.fire(change)
  say.line(`${id}: ${answerOf(await attempt(stage, id, 1))}; the service will try again.`)
  say.line(
    'A quarter of an hour on, Bluepencil reads the published figures, as it does beside healthy webhooks:',
  )
  stage.clock.move(crossCheckMs)
  const found = await stage.until('polling to find the change', async () => {
    const rows = await stage.control.events({ limit: 100 })
    return rows.flatMap(({ entry }) => (entry.kind === 'alert' && isFinding(entry) ? [entry] : []))[0]
  })
  const row = await settled(stage, found.id)
  say.line(`${found.id}: ${headline(found)}`)
  say.rows(outcomeRows(row))
  stage.clock.move(untoldMs)
  await stage.until(
    'polling to take over',
    async () => (await pollingOf(stage))?.mode === 'full' || undefined,
  )
  stage.clock.move(graceMs)
  say.line('Half an hour on, and still no webhook about it: polling takes over.')
  const { title, text } = await noticeOf(stage, 'trouble')
  say.rows([['newsroom', `to the operators: ${title}. ${text}`]])
}

export async function comesLate({ stage, say, messages }: Playing): Promise<void> {
  const { line, clock, service, control, until } = stage
  line.mend()
  const broken = service.deliveries().findLast((one) => 'error' in one)
  const id = broken?.eventId ?? ''
  clock.move(Math.max(Date.parse(broken?.willRetryAt ?? '') - clock.now(), 0))
  const arrived = await until('the late delivery', async () => {
    return service.deliveries().find((one) => one.eventId === id && 'status' in one)
  })
  const row = await settled(stage, id)
  const first = row.entry.kind === 'alert' ? (row.entry.sameAs ?? '') : ''
  say.line(`${id}, try ${arrived.attempt}: ${answerOf(arrived)}. It is the change that polling found:`)
  say.rows(outcomeRows(row))

  await until('the edits', async () => {
    const stored = await control.event(first)
    const told = Object.entries(row.outcomes).filter(([, { state }]) => state === 'told')
    return told.every(([channel]) => isEdited(stored?.outcomes[channel], id)) || undefined
  })
  say.line('What the edit changed in Slack:')
  const drawn = messages.filter((text) => text.includes('newsroom, as it reads'))
  say.printed(difference(drawn, first).join('\n'))

  clock.move(minuteMs)
  await until('polling to know of it', async () => (await pollingOf(stage))?.calmSince ?? undefined)
  stage.toPresent()
  const { title, text } = await noticeOf(stage, 'over')
  say.line('A quarter of an hour on, and webhooks are trusted again:')
  say.rows([['newsroom', `to the operators: ${title}. ${text}`]])
}

function isEdited(outcome: Outcome | undefined, by: string): boolean {
  return outcome?.state === 'sent' && outcome.alsoTells?.includes(by) === true
}
