import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AlertEvent } from '../../../src/event/event.ts'
import type { Outcome } from '../../../src/event/outcome.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { hourMs } from '../../../src/platform/durations.ts'
import { startSandbox } from '../../../src/service/sandbox/sandbox.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { alert, levels, noFigures } from '../../support/fakes/events.ts'
import { openDesk } from './desk.ts'
import { storeFigures } from './stored-figures.ts'
import type { Visitor } from './visitor.ts'

type Closing = (close: () => Promise<void>) => void

const hoursOfLatest = 5
const changes: [hoursAgo: number, changes: Partial<AlertEvent>][] = [
  [190, { model: 'qwen', category: 'social', delta: 4, type: 'censorship_spike' }],
  [150, { model: 'gemini', category: 'safety', delta: -6, type: 'censorship_spike' }],
  [121, { model: 'mistral', category: 'political', delta: 3, type: 'policy_change' }],
  [98, { model: 'chatgpt', category: 'political', delta: 9, type: 'censorship_spike' }],
  [74, { model: 'claude', category: 'social', delta: -5, type: 'policy_change' }],
  [51, { model: 'gemini', category: 'political', delta: 7, type: 'policy_change' }],
  [
    30,
    {
      model: 'qwen',
      category: 'safety',
      delta: null,
      type: 'censorship_spike',
      unrecognised: [{ field: 'delta', problem: 'missing' }],
    },
  ],
  [hoursOfLatest, { model: 'claude', category: 'political', delta: 12, type: 'censorship_spike' }],
]

/** As its figures show it. */
const latest = {
  before: { rate: 21.2, prompts: 14_500, readings: 29 },
  now: { rate: 32.8, prompts: 500, readings: 1 },
}

/** A newsroom at work, for pictures of its pages: a week of alerts, one that failed, and a silence. */
export async function openNewsroom(closing: Closing) {
  let behindMs = 0.2 * hourMs + hoursOfLatest * hourMs
  const service = await startSandbox({
    port: 0,
    seed: 7,
    clock: { ...systemClock, now: () => systemClock.now() - behindMs },
  })
  closing(() => service.close())
  // The first reading after the change, and an hour later each the next ones, at the same level.
  for (const delta of ['+12pp', '+0pp', '+0pp', '+0pp', '+0pp']) {
    service.fire({ model: 'claude', type: 'censorship_spike', category: 'political', delta })
    behindMs -= hourMs
  }
  behindMs = 0
  const folder = mkdtempSync(join(tmpdir(), 'newsroom-'))
  await fill(folder, service.url)
  const desk = await openDesk(
    {
      monitor: { baseUrl: service.url, apiKey: 'sandbox-pro', tier: 'pro' },
      polling: { mode: 'off' },
      operators: ['ai-desk'],
      channels: [
        { name: 'ai-desk', type: 'console', timeZone: 'Europe/Berlin' },
        {
          name: 'politics',
          type: 'console',
          categories: ['political'],
          minDelta: 5,
          quiet: { from: '22:00', to: '07:00', unless: { minDelta: 20 } },
        },
        { name: 'policy-mail', type: 'console', events: ['policy_change'], language: 'de' },
      ],
    },
    { closing, folder },
  )
  return { ...desk, alertPath: '/alerts/evt_week7', failedPath: '/alerts/evt_week2' }
}

/** What people did there. */
export async function actAt(visitor: Visitor): Promise<void> {
  await visitor.submit('/alerts/evt_week7', '/alerts/evt_week7/acknowledge')
  await visitor.submit('/tokens', '/tokens', { name: 'Feed reader of the desk', use: 'feeds' })
  await visitor.submit('/tokens', '/tokens', { name: 'Notebook of the data team', use: 'api' })
  const wanted = {
    model: 'qwen',
    category: 'social',
    until: '2d',
    why: 'a fault at the provider, known to the desk',
  }
  await visitor.submit('/silences', '/silences', wanted)
}

async function fill(folder: string, serviceUrl: string): Promise<void> {
  const now = Date.now()
  const time = (hoursAgo: number) => new Date(now - hoursAgo * hourMs).toISOString()
  const store = await openSqliteStore(join(folder, 'data'), { now: Date.now, onTrouble: () => {} })
  for (const [index, [hoursAgo, changed]] of changes.entries()) {
    const [detectedAt, receivedAt] = [time(hoursAgo + 0.2), time(hoursAgo)]
    const shows =
      changed.delta === 12
        ? { ...noFigures, state: 'visible' as const, levels: levels({ since: detectedAt, ...latest }) }
        : null
    const body = {
      encoding: 'utf8' as const,
      text: bodyOf(`evt_week${index}`, changed, detectedAt),
    }
    const entry = alert({ ...changed, id: `evt_week${index}`, detectedAt, receivedAt, figures: shows, body })
    await store.accept([{ entry, outcomes: outcomesOf(entry) }])
  }
  await storeFigures(store, serviceUrl)
  await store.close()
}

/** As the service sent it. */
function bodyOf(
  id: string,
  { model, type, category, delta }: Partial<AlertEvent>,
  detectedAt: string,
): string {
  const change = typeof delta === 'number' ? { delta: `${delta > 0 ? '+' : ''}${delta}pp` } : {}
  const data = { category, ...change, detected_at: detectedAt }
  return JSON.stringify({ id, type, model, data, methodology: 'https://monitor.example/methodology' })
}

function outcomesOf({ category, delta, type, receivedAt: at }: AlertEvent): Record<string, Outcome> {
  const sent: Outcome = { state: 'sent', at, attempts: 1, receipt: { text: 'written to the terminal' } }
  const not = (rule: 'categories' | 'events' | 'minDelta', why: string): Outcome => ({
    state: 'not_sent',
    rule,
    why,
  })
  return {
    'ai-desk': sent,
    politics:
      category !== 'political'
        ? not('categories', `the channel gets only political; the category is ${category}`)
        : (delta ?? 0) < 5
          ? not(
              'minDelta',
              `the channel gets only changes of at least 5 percentage points; the change is ${delta}`,
            )
          : sent,
    'policy-mail':
      type !== 'policy_change'
        ? not('events', `the channel gets only policy_change; the type is ${type}`)
        : delta === 3
          ? { state: 'failed', at, attempts: 14, why: 'the server refuses the mail: 550 mailbox is full' }
          : sent,
  }
}
