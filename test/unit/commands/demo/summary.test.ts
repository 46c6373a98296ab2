import { expect, test } from 'vitest'
import { accountOf } from '../../../../src/commands/demo/summary.ts'
import type { Outcome } from '../../../../src/event/outcome.ts'
import { alert, finding } from '../../../support/fakes/events.ts'

const at = '2026-11-21T13:05:03.000Z'
const sent: Outcome = { state: 'sent', at, attempts: 1, receipt: { text: 'there' } }
const edited = { entry: finding(), outcomes: { desk: { ...sent, editedAt: at }, mail: sent } }

test('a change that came by both ways is one, and nobody was alerted twice', () => {
  const late = alert({ sameAs: 'poll_1' })
  const notSent: Outcome = { state: 'not_sent', rule: 'same-change', why: 'reported already' }
  const outcomes: Record<string, Outcome> = { desk: { state: 'merged', in: 'poll_1' }, mail: notSent }
  expect(accountOf([edited, { entry: late, outcomes }])).toEqual({
    changes: 1,
    sent: [
      ['desk', '1 alert sent, 1 edited'],
      ['mail', '1 alert sent'],
    ],
    twice: [],
  })
})

test('a channel with two alerts about one change is named, though they were taken for two changes', () => {
  const { changes, twice } = accountOf([edited, { entry: alert(), outcomes: { desk: sent } }])
  expect({ changes, twice }).toEqual({ changes: 1, twice: ['desk'] })
})
