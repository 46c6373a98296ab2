import { expect, test } from 'vitest'
import { addedTo, beforeOf, type Outcome, type ResendHistory } from '../../../src/event/outcome.ts'

const at = '2026-11-21T13:00:00.000Z'
const failed: Outcome = { state: 'failed', at, attempts: 290, why: 'given up' }

test('what had failed stands beside what is sent again, with the time of the request', () => {
  expect(addedTo(failed, at)).toEqual({ earlier: [{ ...failed, replacedAt: at }] })
})

test('each request adds to those before it, oldest first', () => {
  const sent: Outcome = {
    state: 'sent',
    at,
    attempts: 1,
    receipt: { text: 'r' },
    ...addedTo(failed, 'first'),
  }
  const { earlier } = addedTo(sent, 'second')
  expect(earlier?.map(({ state, replacedAt }) => `${state} ${replacedAt}`)).toEqual([
    'failed first',
    'sent second',
  ])
})

test('what was never tried adds nothing, and what was broken off does', () => {
  const waiting: Outcome = { state: 'waiting', dueAt: at, why: 'not tried yet', attempts: 0 }
  const before = addedTo(failed, at)
  expect(addedTo({ ...waiting, ...before }, at)).toEqual(before)
  expect(addedTo({ ...waiting, begun: at }, at).earlier).toMatchObject([{ state: 'waiting', begun: at }])
  expect(addedTo({ ...waiting, attempts: 3 }, at).earlier).toMatchObject([{ attempts: 3 }])
  expect(addedTo(undefined, at)).toEqual({})
})

test('of a hundred requests the newest twenty are kept, and how many there were before', () => {
  let before: ResendHistory = {}
  for (let number = 0; number < 100; number += 1) {
    before = addedTo({ ...failed, attempts: number, ...before }, at)
  }
  expect(before.earlier).toHaveLength(20)
  expect(before.earlier?.[0]).toMatchObject({ attempts: 80 })
  expect(before.earlierDropped).toBe(80)
  expect(beforeOf({ ...failed, ...before })).toEqual(before)
})
