import { expect, test, vi } from 'vitest'
import type { Account } from '../../../../src/record/ledger/account.ts'
import { keepLedger } from '../../../../src/record/ledger/daily.ts'
import { alert } from '../../../support/fakes/events.ts'
import { createManualClock } from '../../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../../support/memory-store.ts'

test('each day is accounted for once, when it is over, also after one that could not be', async () => {
  const clock = createManualClock(Date.parse('2026-11-21T15:00:00Z'))
  const store = createMemoryBacking(clock).open()
  await store.accept([{ entry: alert(), outcomes: {} }])
  vi.spyOn(store, 'readState').mockResolvedValueOnce(undefined).mockRejectedValueOnce(new Error('EIO'))
  const days: Account[] = []
  const errors: unknown[] = []
  const stopping = new AbortController()
  const kept = keepLedger(
    {
      clock,
      store,
      windowMs: 1,
      onDay: (day) => days.push(day),
      onError: (error) => errors.push(error),
    },
    stopping.signal,
  )
  await clock.advance(9 * 60 * 60_000 - 1)
  expect([days, errors]).toEqual([[], []])
  await clock.advance(2 * 24 * 60 * 60_000 + 1)
  expect(errors).toHaveLength(1)
  expect(days.map(({ from, to, total }) => [from, to, total.webhookOnly])).toEqual([
    ['2026-11-21', '2026-11-21', 1],
    ['2026-11-23', '2026-11-23', 0],
  ])
  stopping.abort()
  await kept
})
