import { expect, test } from 'vitest'
import type { Entry, Notice, PublishedFigures } from '../../../../src/event/event.ts'
import { type Account, accountFor, pollingKnown } from '../../../../src/record/ledger/account.ts'
import { accountInWords } from '../../../../src/record/ledger/account-in-words.ts'
import { alert, finding, noFigures } from '../../../support/fakes/events.ts'

const dayMs = 86_400_000
const windowMs = 3 * dayMs
const polling = { since: Date.parse('2026-10-01'), lastRead: Date.parse('2026-11-30T12:00:00Z') }

function account(entries: Entry[], changes: Partial<Parameters<typeof accountFor>[0]> = {}) {
  const now = Date.parse('2026-11-30T12:00:00Z')
  return accountFor({ entries, from: '2026-11-01', to: '2026-11-30', now, windowMs, polling, ...changes })
}

const inWords = (account: Account, { hasWebhook = true } = {}) =>
  accountInWords(account, { windowMs, hasWebhook })

const report = (id: string, receivedAt: string, state?: PublishedFigures['state']) =>
  alert({ id, receivedAt, figures: state === undefined ? null : { ...noFigures, state } })
const polled = (id: string, receivedAt: string, sameAs: string | null = null) =>
  finding({ id, receivedAt, sameAs })

test('each change is counted once, by the ways in which it came, on the day on which it came first', () => {
  const { days, total } = account([
    report('evt_1', '2026-11-02T23:50:00Z'),
    polled('poll_1', '2026-11-03T00:10:00Z', 'evt_1'),
    polled('poll_2', '2026-11-03T10:00:00Z'),
    { ...report('evt_2', '2026-11-03T11:00:00Z'), sameAs: 'poll_2' },
    report('evt_3', '2026-11-05T10:00:00Z'),
    polled('poll_3', '2026-11-05T10:00:00Z'),
    notice('trouble', 'desk', '2026-11-05T10:00:00Z', '2026-11-05T10:00:00Z'),
  ])
  expect(total).toMatchObject({
    webhookOnly: 1,
    pollingOnly: 1,
    both: 2,
    webhookFirst: 1,
    webhookLeadMinutes: 20,
    pollingFirst: 1,
    pollingLeadMinutes: 60,
  })
  const busy = days.filter(({ webhookOnly, pollingOnly, both }) => webhookOnly + pollingOnly + both > 0)
  expect(busy.map(({ day, both }) => [day, both])).toEqual([
    ['2026-11-02', 1],
    ['2026-11-03', 1],
    ['2026-11-05', 0],
  ])
  expect(days).toHaveLength(30)
})

test('a correction is no other change, and what confirms it confirms the change', () => {
  const { total } = account([
    report('evt_1', '2026-11-02T10:00:00Z'),
    { ...report('evt_1~2', '2026-11-02T11:00:00Z'), revises: 'evt_1' },
    { ...report('evt_1~3', '2026-11-02T12:00:00Z'), revises: 'evt_1~2' },
    polled('poll_1', '2026-11-02T13:00:00Z', 'evt_1~3'),
    // Another event under the same id is another change.
    report('evt_1~4', '2026-11-03T10:00:00Z'),
  ])
  expect(total).toMatchObject({ webhookOnly: 1, both: 1, pollingOnly: 0, webhookLeadMinutes: 180 })
})

test('what came before or after the days in question is not counted, nor the second of what came before', () => {
  const { total } = account([
    report('evt_1', '2026-10-31T23:59:59Z'),
    polled('poll_1', '2026-11-01T00:10:00Z', 'evt_1'),
    report('evt_2', '2026-12-01T00:00:00Z'),
  ])
  expect([total.webhookOnly, total.pollingOnly, total.both]).toEqual([0, 0, 0])
})

test('the second may come after the last day', () => {
  const { total } = account([
    report('evt_1', '2026-11-30T10:00:00Z'),
    polled('poll_1', '2026-12-01T10:00:00Z', 'evt_1'),
  ])
  expect([total.webhookOnly, total.both]).toEqual([0, 1])
})

test('what the service lists, and polling finds too, came by polling alone', () => {
  const listed = { ...report('evt_1', '2026-11-02T10:00:00Z'), source: 'poll' as const }
  const { total } = account([listed, polled('poll_1', '2026-11-02T11:00:00Z', 'evt_1')])
  expect([total.pollingOnly, total.both]).toEqual([1, 0])
})

test.each<[string, Entry, Partial<Parameters<typeof accountFor>[0]>]>([
  ['shown', report('evt_1', '2026-11-02T10:00:00Z', 'visible'), {}],
  ['neverShown', report('evt_1', '2026-11-02T10:00:00Z', 'not-yet'), {}],
  ['neverShown', report('evt_1', '2026-11-02T10:00:00Z'), {}],
  ['tooRecent', report('evt_1', '2026-11-29T10:00:00Z', 'not-yet'), {}],
  ['notCompared', report('evt_1', '2026-11-02T10:00:00Z'), { polling: null }],
  [
    'notCompared',
    report('evt_1', '2026-11-02T10:00:00Z'),
    { polling: { since: Date.parse('2026-11-03'), lastRead: Date.parse('2026-11-30') } },
  ],
  [
    'notCompared',
    report('evt_1', '2026-11-02T10:00:00Z'),
    { polling: { since: Date.parse('2026-10-01'), lastRead: Date.parse('2026-11-03') } },
  ],
])('a report that no finding joined is %s', (kind, event, changes) => {
  const { shown, neverShown, tooRecent, notCompared } = account([event], changes).total
  const counts = { shown, neverShown, tooRecent, notCompared }
  expect(counts).toEqual({ shown: 0, neverShown: 0, tooRecent: 0, notCompared: 0, [kind]: 1 })
})

test('hours in which a way was in trouble are counted once, within the days in question', () => {
  const { hoursWithout } = account([
    notice('trouble', 'subscription', '2026-10-31T22:00:00Z', '2026-10-31T22:00:00Z'),
    notice('over', 'subscription', '2026-10-31T22:00:00Z', '2026-11-01T02:00:00Z'),
    notice('over', 'signature', '2026-11-01T01:00:00Z', '2026-11-01T03:30:00Z'),
    notice('over', 'channel:desk', '2026-11-05T00:00:00Z', '2026-11-06T00:00:00Z'),
    // It lasts.
    notice('trouble', 'figures', '2026-11-30T10:00:00Z', '2026-11-30T10:00:00Z'),
  ])
  expect(hoursWithout).toEqual({ webhook: 3.5, polling: 2 })
})

test('another version label, a report of no change and one without a size are counted apart', () => {
  const shown = account([
    report('evt_1', '2026-11-02T10:00:00Z'),
    { ...report('evt_2', '2026-11-03T10:00:00Z'), delta: 0 },
    { ...report('evt_3', '2026-11-04T10:00:00Z'), delta: null },
    { ...report('evt_4', '2026-11-05T10:00:00Z'), delta: null },
    { ...polled('poll_1', '2026-11-06T10:00:00Z'), delta: null, version: { from: '4.1', to: '4.2' } },
  ])
  expect(shown.total).toMatchObject({ webhookOnly: 1, pollingOnly: 0, both: 0 })
  expect(shown.besides).toEqual({ version: 1, unchanged: 1, withoutSize: 2 })
  const text = inWords(shown)
  expect(text).toContain('1 change of a rate reached Bluepencil: 1 by webhook only, 0 by polling only')
  expect(text).toContain(
    ' Not counted: 1 change of a version label, 1 report of no change and 2 reports without a readable size.',
  )
})

test('where webhooks were not set up, it says so', () => {
  const shown = account([polled('poll_1', '2026-11-03T10:00:00Z')])
  const text = inWords(shown, { hasWebhook: false })
  expect(text).toContain(' No webhooks were set up. ')
  expect(text).not.toMatch(/No webhook reported|Webhooks were known/)
  expect(inWords(account([report('evt_1', '2026-11-02T10:00:00Z')]), { hasWebhook: false })).toContain(
    'Webhooks were known not to arrive for 0 hours.',
  )
})

test('it reads as a paragraph of a methods section', () => {
  const all = account([
    report('evt_1', '2026-11-02T10:00:00Z'),
    polled('poll_1', '2026-11-02T13:10:00Z', 'evt_1'),
    polled('poll_2', '2026-11-03T10:00:00Z'),
    report('evt_3', '2026-11-05T10:00:00Z'),
    report('evt_4', '2026-11-29T10:00:00Z'),
  ])
  expect(inWords(all)).toBe(
    'From 2026-11-01 to 2026-11-30 (UTC), 4 changes of a rate reached Bluepencil: 2 by webhook only, 1 by polling only, and 1 by both (webhook first in 1, by 3 hours in the median). ' +
      'Those by webhook only: 1 not shown by the published figures within 3 days, 1 too recent to judge. ' +
      'A report and a step in the published figures count as one change if model, category and direction agree. Their sizes must agree within the sampling error, and their times within 3 days. ' +
      'Webhooks were known not to arrive for 0 hours. The published figures were known not to be readable for 0 hours. ' +
      'They have been read since 2026-10-01T00:00:00.000Z, last at 2026-11-30T12:00:00.000Z.',
  )
  const second = polled('poll_2', '2026-11-03T10:00:00Z')
  expect(inWords(account([second]))).toContain(
    'No webhook reported it. Webhooks were known not to arrive for 0 hours',
  )
  expect(inWords(account([second, polled('poll_3', '2026-11-04T10:00:00Z')]))).toContain(
    'No webhook reported any of them.',
  )
  expect(inWords(account([], { polling: null }))).toContain('0 changes of a rate reached Bluepencil')
})

test('what polling remembers is read with care', () => {
  expect(pollingKnown({ begunAt: 1, succeededAt: 2, more: true })).toEqual({ since: 1, lastRead: 2 })
  for (const other of [undefined, null, 'x', {}, { begunAt: 1, succeededAt: null }]) {
    expect(pollingKnown(other)).toBeNull()
  }
})

function notice(phase: Notice['phase'], key: string, since: string, receivedAt: string): Notice {
  const about = { key, since }
  return { kind: 'notice', id: `ntc_${phase}`, phase, channel: null, title: '', text: '', about, receivedAt }
}
