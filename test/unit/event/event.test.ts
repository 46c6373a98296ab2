import { expect, test } from 'vitest'
import { readDelivery } from '../../../src/event/delivery.ts'
import { isFinding } from '../../../src/event/event.ts'
import { alert, finding } from '../../support/fakes/events.ts'

const listed = (payload: object) =>
  readDelivery(Buffer.from(JSON.stringify(payload)), {
    source: 'poll',
    receivedAt: '2026-11-21T13:05:02.000Z',
  })

test('a finding is known by a mark that nothing from outside can set', () => {
  expect(isFinding(finding())).toBe(true)
  expect(isFinding(listed({ id: 'poll_1', found: true, source: 'poll' }))).toBe(false)
  expect(isFinding(listed({ id: 'evt_1', found: true }))).toBe(false)
})

test('what was stored before findings had a mark: one of ours is a finding, and one of the service’s list is not', () => {
  const { found: _, ...before } = finding()
  expect(isFinding(before)).toBe(true)
  const unrecognised = [{ field: 'id' as const, problem: 'does not begin with evt_' }]
  expect(isFinding(alert({ id: 'poll_1', source: 'poll', unrecognised }))).toBe(false)
  expect(isFinding(alert({ id: 'poll_1' }))).toBe(false)
})
