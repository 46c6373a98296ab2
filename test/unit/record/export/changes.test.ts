import { expect, test } from 'vitest'
import type { AlertEvent } from '../../../../src/event/event.ts'
import { changeRecordOf, changesIn } from '../../../../src/record/export/changes.ts'
import { alert, finding, levels, noFigures } from '../../../support/fakes/events.ts'

const shown = (since: object = {}) => ({
  figures: { ...noFigures, state: 'visible' as const, levels: levels(since) },
})

test.each<[string, string, AlertEvent[]]>([
  ['found in one reading', 'provisional', [finding(shown())]],
  ['also reported', 'stands', [finding(shown()), alert({ sameAs: 'poll_1' })]],
  ['gradual', 'stands', [finding(shown({ driftSince: '2026-10-10T00:00:00.000Z' }))]],
])('a change that was %s has the state %s, as on its page and in its messages', (_, status, entries) => {
  const rows = entries.map((entry, seq) => ({ entry, seq, outcomes: {} }))
  const records = changesIn(rows).map((alerts) => changeRecordOf(alerts, () => ({ state: 'new' })))
  expect(records).toMatchObject([{ status }])
})
