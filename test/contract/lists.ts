import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { reportedAlertOf } from '../../src/decide/accept/correlate.ts'
import type { AlertEvent, Entry } from '../../src/event/event.ts'
import type { Outcome } from '../../src/event/outcome.ts'
import { dayMs } from '../../src/platform/durations.ts'
import { readDesks } from '../../src/store/desks.ts'
import { type ListFilter, searchTerms, searchWords } from '../../src/store/list-filter.ts'
import type { Store, StoredEntry } from '../../src/store/store.ts'
import { alert } from '../support/fakes/events.ts'
import { runs } from '../support/runs.ts'

const sent: Outcome = { state: 'sent', at: '2026-11-21T13:05:03.000Z', attempts: 1, receipt: { text: 'r' } }
const failed: Outcome = { state: 'failed', at: '2026-11-21T13:05:03.000Z', attempts: 2, why: 'gone' }
const merged: Outcome = { state: 'merged', in: 'evt_1' }

/** Entries that differ in all that a list can be limited to. */
const entries: [Entry, Record<string, Outcome>][] = [
  [
    alert({ id: 'evt_1', model: 'claude', category: 'political', body: body('Élection à l’été') }),
    { desk: sent },
  ],
  [
    alert({ id: 'evt_2', model: 'Claude', category: null, type: 'policy_change' }),
    { desk: merged, mail: failed },
  ],
  [
    alert({ id: 'evt_3', model: null, category: 'SAFETY', receivedAt: '2026-11-22T23:59:59.999Z' }),
    { mail: sent },
  ],
  [
    alert({
      id: 'evt_4',
      model: 'qwen',
      receivedAt: '2026-11-23T00:00:00.000Z',
      body: body('x 選挙 a_b 100%'),
    }),
    {},
  ],
  [
    {
      kind: 'notice',
      id: 'ntc_1',
      phase: 'trouble',
      channel: null,
      title: 'Discord rejects our messages',
      text: 'Unknown Webhook',
      receivedAt: '2026-11-21T13:05:02.000Z',
    },
    { mail: failed },
  ],
  [
    {
      kind: 'act',
      id: 'act_1',
      does: 'test',
      about: null,
      channel: 'desk',
      by: { name: 'Élodie', via: 'command' },
      receivedAt: '2026-11-21T13:05:02.000Z',
    },
    {},
  ],
]

function body(text: string) {
  return { encoding: 'utf8' as const, text }
}

const filters: fc.Arbitrary<ListFilter> = fc.record(
  {
    kind: fc.constantFrom('alert', 'notice', 'act', 'digest'),
    model: fc.constantFrom('claude', 'CLAUDE', 'qwen', 'nobody'),
    category: fc.constantFrom('political', 'safety', "x' or 1=1"),
    type: fc.constantFrom('policy_change', 'censorship_spike'),
    outcome: fc.constantFrom('sent', 'merged', 'failed', 'held'),
    channel: fc.constantFrom('desk', 'mail', 'nowhere'),
    desk: fc.constantFrom('new', 'checking', 'published'),
    from: fc.constantFrom(
      '2026-11-21',
      '2026-11-22',
      '2026-11-23',
      '2026-11-22T23:59:59.999Z',
      '2026-11-23T00:00:00.001Z',
    ),
    to: fc.constantFrom('2026-11-21', '2026-11-22', '2026-11-23'),
    words: fc.constantFrom(
      'claude',
      'elect',
      'ÉLEC ete',
      'a',
      'x',
      '選挙',
      'evt 2',
      'webhook',
      '" OR *',
      'NOT claude',
      '100%',
      "'",
      '\u0000',
      '😀',
    ),
  },
  { requiredKeys: [] },
)

/** Lists are the same in every store. The store is empty at first. */
export function describeLists({ store }: { store: () => Store }): void {
  it('lists what passes a filter, newest first, page by page, for any query', async () => {
    for (const [entry, outcomes] of entries) await store().accept([{ entry, outcomes }])
    const all = await store().list({ limit: 100 })
    expect(all).toHaveLength(entries.length)
    await fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 1, max: 3 }), async (filter, limit) => {
        const wanted = all.filter((one) => passesFilter(one, filter)).map(({ seq }) => seq)
        const seqs: number[] = []
        for (let before: number | undefined; ; ) {
          const page = await store().list({ ...filter, limit, before })
          seqs.push(...page.map(({ seq }) => seq))
          if (page.length < limit) break
          before = page.at(-1)?.seq
        }
        expect(seqs).toEqual(wanted)
      }),
      runs(100),
    )
  })

  it('lists alerts by what the desk does about them: of one change, by its first alert; acknowledged long ago, too', async () => {
    const act = (id: string, about: string, changes: object): Entry => ({
      kind: 'act',
      id,
      does: 'set-desk',
      about,
      state: 'checking',
      click: id,
      by: { name: 'says "does":"set-desk","state":"published"', via: 'console' },
      receivedAt: '2026-11-21T13:05:02.000Z',
      ...changes,
    })
    const alerts = [1, 2, 3, 4, 5].map((n) => alert({ id: `evt_${n}`, sameAs: n === 5 ? 'evt_3' : null }))
    const done = [
      act('act_1', 'evt_1', { does: 'acknowledge' }),
      act('act_2', 'evt_2', { does: 'acknowledge' }),
      act('act_3', 'evt_2', { state: 'new' }),
      act('act_4', 'evt_3', {}),
      act('act_5', 'evt_3', { state: 'published', story: 'https://news.example/1' }),
      act('act_6', 'evt_3', { does: 'acknowledge' }),
      act('act_7', 'evt_4', { does: 'silence', scope: {}, until: '2026-11-22T13:05:02.000Z', why: '' }),
    ]
    for (const entry of [...alerts, ...done]) await store().accept([{ entry, outcomes: {} }])
    const ids = async (desk: ListFilter['desk']) =>
      (await store().list({ desk, limit: 9 })).map(({ entry }) => entry.id)
    expect(await ids('new')).toEqual(['evt_4', 'evt_2'])
    expect(await ids('checking')).toEqual(['evt_1'])
    expect(await ids('published')).toEqual(['evt_5', 'evt_3'])
    const silent = [
      alert({ id: 'poll_1', confirms: 'evt_4', found: true }),
      alert({ id: 'evt_4~2', revises: 'evt_4', body: body('"before":{') }),
    ]
    const correction = alert({
      id: 'evt_4~3',
      revises: 'evt_4',
      before: reportedAlertOf(alert({ id: 'evt_4' })),
    })
    for (const entry of [...silent, correction]) await store().accept([{ entry, outcomes: {} }])
    expect(await ids('new')).toEqual(['evt_4~3', 'evt_4', 'evt_2'])
    await store().accept([{ entry: act('act_8', 'evt_2', { does: 'acknowledge' }), outcomes: {} }])
    await store().accept([{ entry: act('act_9', 'evt_3', { state: 'checking' }), outcomes: {} }])
    expect(await ids('checking')).toEqual(['evt_5', 'evt_3', 'evt_2', 'evt_1'])
    const about = await store().actsAbout(['evt_2', 'evt_4', 'evt_9'])
    expect(about.map(({ id }) => id)).toEqual(['act_2', 'act_3', 'act_7', 'act_8'])
    const desks = await readDesks(alerts, store())
    expect(alerts.map((one) => desks(one).state)).toEqual([
      'checking',
      'checking',
      'checking',
      'new',
      'checking',
    ])
  })

  it('counts the alerts since a time, and those that a channel was sent: another report of one that counts is none', async () => {
    const receivedAt = (hours: number) => new Date(Date.UTC(2026, 10, 21, hours)).toISOString()
    const stored: [changes: Partial<AlertEvent>, Record<string, Outcome>][] = [
      [{}, { desk: sent, mail: failed }],
      [{}, { desk: merged }],
      [{}, { desk: failed }],
      [{}, {}],
      [{ sameAs: 'evt_0' }, { desk: sent }],
      [{ sameAs: 'evt_0' }, { desk: merged, mail: sent }],
      [{ confirms: 'evt_0' }, {}],
    ]
    const alerts = stored.map(([changes, outcomes], hours) => ({
      entry: alert({ id: `evt_${hours}`, receivedAt: receivedAt(hours), ...changes }),
      outcomes,
    }))
    const [, , , , [notice] = []] = entries
    if (notice === undefined) throw new Error('there is a notice')
    await store().accept([...alerts, { entry: notice, outcomes: { desk: sent } }])
    const counted = (channel: string, hours: number) =>
      store().countAlerts({ channel, since: Date.parse(receivedAt(hours)) })
    expect(await counted('desk', 0)).toEqual({ received: 5, sent: 3 })
    expect(await counted('desk', 1)).toEqual({ received: 4, sent: 2 })
    expect(await counted('mail', 0)).toEqual({ received: 5, sent: 1 })
    expect(await counted('constructor', 6)).toEqual({ received: 0, sent: 0 })
  })

  it('lists what became of an entry since', async () => {
    const [[entry, outcomes] = []] = entries
    if (entry === undefined || outcomes === undefined) throw new Error('there is an entry')
    await store().accept([{ entry, outcomes }])
    const ids = async (filter: ListFilter) =>
      (await store().list({ ...filter, limit: 9 })).map((one) => one.entry.id)
    expect(await ids({ outcome: 'failed' })).toEqual([])
    await store().settle('evt_1', 'desk', failed)
    expect([await ids({ outcome: 'failed' }), await ids({ outcome: 'sent' })]).toEqual([['evt_1'], []])
    const [alone] = await store().list({ outcome: 'failed', limit: 9, withoutOutcomes: true })
    expect(alone).toEqual({ ...(await store().find('evt_1')), outcomes: {} })
  })
}

/** What the databases answer by SQL. */
function passesFilter(stored: StoredEntry, filter: ListFilter): boolean {
  const { entry, outcomes } = stored
  const { model = null, category = null, type = null } = entry.kind === 'alert' ? entry : {}
  const isEqual = (wanted: string | undefined, value: string | null) =>
    wanted === undefined || wanted.toLowerCase() === value?.toLowerCase()
  const received = Date.parse(entry.receivedAt)
  return (
    (filter.kind === undefined || filter.kind === entry.kind) &&
    isEqual(filter.model, model) &&
    isEqual(filter.category, category) &&
    isEqual(filter.type, type) &&
    (filter.from === undefined || received >= Date.parse(filter.from)) &&
    (filter.to === undefined || received < Date.parse(filter.to) + dayMs) &&
    (filter.desk === undefined || (entry.kind === 'alert' && filter.desk === 'new')) &&
    hasOutcome(outcomes, filter) &&
    hasWords(entry, filter.words)
  )
}

function hasOutcome(outcomes: StoredEntry['outcomes'], { outcome, channel }: ListFilter): boolean {
  if (outcome === undefined && channel === undefined) return true
  return Object.entries(outcomes).some(
    ([name, { state }]) =>
      (channel === undefined || channel === name) && (outcome === undefined || outcome === state),
  )
}

function hasWords(entry: Entry, searched: string | undefined): boolean {
  const terms = searchTerms(searched ?? '')
  if (terms.length === 0) return true
  const words = searchWords(entry)
  return terms.every(({ word, isWhole }) =>
    words.some((one) => (isWhole ? one === word : one.startsWith(word))),
  )
}
