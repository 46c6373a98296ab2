import * as z from 'zod'
import type { Outcome } from '../../event/outcome.ts'
import { headline } from '../../message/render/headline.ts'
import { statedSize } from '../../message/render/levels.ts'
import { minuteMs } from '../../platform/durations.ts'
import { models } from '../../service/sandbox/change.ts'
import type { StoredEntry } from '../../store/store.ts'
import { difference } from './difference.ts'
import { get } from './get.ts'
import type { DemoContext, DemoStage } from './playing.ts'
import { outcomeRows } from './say.ts'
import { answerOf, attempt, findingOf, noticeOf, pollingOf, settled } from './watching.ts'
import { byWebhook } from './webhooks.ts'

/** All channels want it, and nobody can miss it in the figures: seven standard errors of 200 prompts. */
const change = { type: 'censorship_spike', category: 'political', delta: 25 }
const PastChanges = z.array(z.object({ model: z.string() }))

/** From the start to the first reading of the figures: what is usual is learnt from their history. */
const firstReadingMs = 16_000
/** From one reading to the next while webhooks are healthy. */
const crossCheckMs = 15 * minuteMs
/** A change without a delivery counts after half an hour; operators are notified when that has lasted for five minutes. */
const untoldMs = 31 * minuteMs
const graceMs = 6 * minuteMs

export async function isFoundByPolling({ stage, say }: DemoContext): Promise<void> {
  stage.clock.move(firstReadingMs)
  await stage.until('the first reading of the figures', () => pollingOf(stage))
  stage.line.cut()
  const { id } = stage.service.fire({ ...change, model: await calmest(stage) })
  say.line(`${id}: ${answerOf(await attempt(stage, id, 1))}; the service will try again.`)
  say.line('A quarter of an hour on, Bluepencil reads the published figures, as a cross-check:')
  stage.clock.move(crossCheckMs)
  const found = await findingOf(stage)
  const row = await settled(stage, found.id)
  say.line(`${headline(found, { size: statedSize(found) })} (${found.id})`)
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

export async function comesLate(playing: DemoContext): Promise<void> {
  const { stage, say } = playing
  const { line, clock, service, until } = stage
  line.mend()
  const broken = service.deliveries().findLast((one) => 'error' in one)
  const id = broken?.eventId ?? ''
  const retryAt = broken?.willRetryAt ?? null
  // Where the demo was left alone for long, the service has given up.
  if (retryAt === null) service.fire({ ...change, model: (await findingOf(stage)).model ?? undefined, id })
  else clock.move(Math.max(Date.parse(retryAt) - clock.now(), 0))
  const arrived = await until('the late delivery', async () => {
    return service.deliveries().find((one) => one.eventId === id && 'status' in one)
  })
  const row = await settled(stage, id)
  const sameAs = row.entry.kind === 'alert' ? row.entry.sameAs : null
  const what = sameAs === null ? 'It differs from what polling found' : 'It is the change that polling found'
  say.line(`${id}, try ${arrived.attempt}: ${answerOf(arrived)}. ${what}:`)
  say.rows(outcomeRows(row))
  if (sameAs !== null) await showEdits(playing, { first: sameAs, second: row })

  clock.move(minuteMs)
  await until('polling to know of it', async () => (await pollingOf(stage))?.calmSince ?? undefined)
  stage.toPresent()
  const { title, text } = await noticeOf(stage, 'over')
  say.line('A quarter of an hour on, and webhooks are trusted again:')
  say.rows([['newsroom', `to the operators: ${title}. ${text}`]])
}

async function showEdits(
  { stage, say, messages }: DemoContext,
  { first, second }: { first: string; second: StoredEntry },
): Promise<void> {
  await stage.until('the edits', async () => {
    const stored = await stage.control.event(first)
    const told = Object.entries(second.outcomes).filter(([, { state }]) => state === 'merged')
    return told.every(([channel]) => isEdited(stored?.outcomes[channel], second.entry.id)) || undefined
  })
  say.line('What the edit changed in Slack:')
  const drawn = messages.filter((text) => text.includes('newsroom, as it reads'))
  say.printed(difference(drawn, first).join('\n'))
}

/**
 * The model, other than that of the webhooks, that has changed longest ago: to polling, what follows soon upon a change
 * may be one with it.
 */
async function calmest({ service }: DemoStage): Promise<string> {
  const past = PastChanges.parse(JSON.parse(await get(`${service.origin}/_sandbox/changes`)))
  const last = (name: string) => past.findLastIndex(({ model }) => model === name)
  const others = models.filter((model) => model !== byWebhook.model)
  return others.reduce((calm, model) => (last(model) < last(calm) ? model : calm))
}

function isEdited(outcome: Outcome | undefined, by: string): boolean {
  return outcome?.state === 'sent' && outcome.alsoTells?.includes(by) === true
}
