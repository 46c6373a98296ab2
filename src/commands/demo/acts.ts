import { stripVTControlCharacters } from 'node:util'
import * as z from 'zod'
import { type AlertEvent, type Entry, isFinding, type Notice } from '../../event/event.ts'
import type { Outcome } from '../../event/outcome.ts'
import { type PollingState, pollingStateFrom } from '../../intake/poll/state.ts'
import { headline } from '../../message/render/headline.ts'
import { statedSize } from '../../message/render/levels.ts'
import { minuteMs } from '../../platform/durations.ts'
import { counted } from '../../platform/text.ts'
import { models } from '../../service/sandbox/change.ts'
import { type DeliveryAttempt, type PostResult, post, sign } from '../../service/sandbox/deliveries.ts'
import { ServiceDialect } from '../../service/sandbox/dialect.ts'
import type { StoredEntry } from '../../store/store.ts'
import { explain } from '../explain.ts'
import { outcomeRows } from './say.ts'
import { type DemoContext, type DemoStage, get } from './stage.ts'

/** Something that is caused from outside, and what came of it: answers, messages, and what is stored. */
interface DemoAct {
  title: string
  play(playing: DemoContext): Promise<void>
  /** What a person takes to read it. */
  seconds: number
}

export const acts: readonly DemoAct[] = [
  { title: 'The service reports a change by webhook, signed and new.', play: isDelivered, seconds: 12 },
  { title: 'The service delivers the same event again.', play: isRepeated, seconds: 4 },
  { title: 'Somebody forges a webhook.', play: isForged, seconds: 5 },
  {
    title: 'The network fails, so webhooks don’t arrive. Then a model changes.',
    play: isFoundByPolling,
    seconds: 13,
  },
  { title: 'The network is back. The webhook about that change arrives late.', play: comesLate, seconds: 13 },
  { title: 'What happened to it, and why.', play: isExplained, seconds: 8 },
]

async function isExplained({ stage, say, terminal }: DemoContext): Promise<void> {
  const { id } = await findingOf(stage)
  say.line(`$ npx bluepencil explain ${id}`)
  await explain(id, { config: stage.configFile }, { ...terminal, out: say.printed })
}

/** Two channels want it, and one does not. */
const byWebhook = { type: 'censorship_spike', model: 'gemini', category: 'safety', delta: 9 }

async function isDelivered({ stage, say, messages }: DemoContext): Promise<void> {
  const { id } = stage.service.fire(byWebhook)
  const answer = answerOf(await attempt(stage, id, 1))
  const row = await settled(stage, id)
  say.line(`${id}: ${answer}, once it was on disk. Each channel has its own filters:`)
  say.rows(outcomeRows(row))
  say.block(messages[0] ?? '')
}

async function isRepeated({ stage, say, messages }: DemoContext): Promise<void> {
  const id = stage.service.deliveries()[0]?.eventId ?? ''
  const before = messages.length
  stage.service.fire({ ...byWebhook, id })
  const answer = answerOf(await attempt(stage, id, 2))
  say.line(`${id}: ${answer}. It is a duplicate, and ${sent(messages.length - before)}.`)
}

async function isForged({ stage, say, messages }: DemoContext): Promise<void> {
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

/** All channels want it, and nobody can miss it in the figures: seven standard errors of 200 prompts. */
const change = { type: 'censorship_spike', category: 'political', delta: 25 }
const PastChanges = z.array(z.object({ model: z.string() }))

/** From the start to the first reading of the figures: what is usual is learnt from their history. */
const firstReadingMs = 16_000
/** From one reading to the next while webhooks are healthy. */
const crossCheckMs = 15 * minuteMs
/** A change without a delivery counts after half an hour; operators are notified when that has lasted for five minutes. */
const undeliveredMs = 31 * minuteMs
const graceMs = 6 * minuteMs

async function isFoundByPolling({ stage, say }: DemoContext): Promise<void> {
  stage.clock.move(firstReadingMs)
  await stage.until('the first reading of the figures', () => pollingOf(stage))
  stage.line.cut()
  const { id } = stage.service.fire({ ...change, model: await calmest(stage) })
  say.line(`${id}: ${answerOf(await attempt(stage, id, 1))}; the service will try again.`)
  say.line('15 minutes later, Bluepencil reads the published figures as a cross-check:')
  stage.clock.move(crossCheckMs)
  const finding = await findingOf(stage)
  const row = await settled(stage, finding.id)
  say.line(`${headline(finding, { size: statedSize(finding) })} (${finding.id})`)
  say.rows(outcomeRows(row))
  stage.clock.move(undeliveredMs)
  await stage.until(
    'polling to take over',
    async () => (await pollingOf(stage))?.mode === 'full' || undefined,
  )
  stage.clock.move(graceMs)
  say.line('30 minutes later, there is still no webhook about it: polling takes over.')
  const { title, text } = await noticeOf(stage, 'trouble')
  say.rows([['newsroom', `to the operators: ${title}. ${text}`]])
}

async function comesLate(playing: DemoContext): Promise<void> {
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
  say.line('15 minutes later, Bluepencil relies on webhooks again:')
  say.rows([['newsroom', `to the operators: ${title}. ${text}`]])
}

async function showEdits(
  { stage, say, messages }: DemoContext,
  { first, second }: { first: string; second: StoredEntry },
): Promise<void> {
  await stage.until('the edits', async () => {
    const stored = await stage.control.event(first)
    const merged = Object.entries(second.outcomes).filter(([, { state }]) => state === 'merged')
    return merged.every(([channel]) => isEdited(stored?.outcomes[channel], second.entry.id)) || undefined
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

/** The nth try to deliver an event, when it has ended. */
function attempt({ service, until }: DemoStage, id: string, number: number): Promise<DeliveryAttempt> {
  return until('a delivery', async () => {
    return service.deliveries().filter(({ eventId }) => eventId === id)[number - 1]
  })
}

function answerOf(answer: PostResult): string {
  return 'status' in answer ? `answered ${answer.status}` : `no answer (${answer.error})`
}

/** An event with what became of it, when nothing of it waits. */
function settled({ control, until }: DemoStage, id: string): Promise<StoredEntry> {
  return until('the alerts', async () => {
    const row = await control.event(id)
    const isWaiting = Object.values(row?.outcomes ?? {}).some(({ state }) => state === 'waiting')
    return isWaiting ? undefined : row
  })
}

/** What polling has decided by its last reading of the figures; undefined before the first. */
async function pollingOf({ control, clock }: DemoStage): Promise<PollingState['decision'] | undefined> {
  const { succeededAt, decision } = pollingStateFrom((await control.status()).polling, clock.now())
  return succeededAt === null ? undefined : decision
}

/** The change that polling found, when it has. */
function findingOf(stage: DemoStage): Promise<AlertEvent> {
  const isIt = (entry: Entry): entry is AlertEvent => entry.kind === 'alert' && isFinding(entry)
  return newest(stage, 'polling to find the change', isIt)
}

/** A notice to the operators, when it is sent. */
async function noticeOf(stage: DemoStage, phase: Notice['phase']): Promise<Notice> {
  const isIt = (entry: Entry): entry is Notice => entry.kind === 'notice' && entry.phase === phase
  const notice = await newest(stage, 'a notice to the operators', isIt)
  await settled(stage, notice.id)
  return notice
}

function newest<T extends Entry>(
  { control, until }: DemoStage,
  what: string,
  isIt: (entry: Entry) => entry is T,
): Promise<T> {
  return until(what, async () => {
    const rows = await control.events({ limit: 100 })
    return rows.map(({ entry }) => entry).find(isIt)
  })
}

/**
 * What an edit changed in a message as a channel drew it, paragraph by paragraph: "- " and what it said before, "+ " and
 * what it says now. `drawn`: all messages about an event, oldest first; the first is compared with the last.
 */
export function difference(drawn: readonly string[], id: string): string[] {
  const about = drawn.map(paragraphs).filter((texts) => texts.some((text) => squeezed(text).includes(id)))
  const before = about[0] ?? []
  const after = about.at(-1) ?? []
  return [
    ...before.filter((text) => !after.includes(text)).map((text) => `- ${text}`),
    ...after.filter((text) => !before.includes(text)).map((text) => `+ ${text}`),
  ]
}

/** Without the heading, and without the frame. */
function paragraphs(drawn: string): string[] {
  const lines = stripVTControlCharacters(drawn)
    .split('\n')
    .slice(1)
    .map((line) => line.replace(/^[╭╰].*|^[│▌] ?| *│$/g, ''))
  return lines
    .join('\n')
    .split(/\n *\n/)
    .map((text) => text.replace(/\s+/g, ' ').trim())
}

/** A narrow terminal breaks ids. */
function squeezed(text: string): string {
  return text.replaceAll(' ', '')
}
