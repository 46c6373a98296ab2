import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/clock.ts'
import { minuteMs } from '../../../src/durations.ts'
import { openPostgresStore } from '../../../src/store/postgres/open.ts'
import { event, waiting } from '../../contract/store.ts'
import { postgresForTests } from '../../support/postgres/for-tests.ts'

const server = postgresForTests()

test('what waits is due by one clock, whichever machine wrote it: one is ten minutes ahead, one is twenty behind', async () => {
  const url = await server().create()
  const replicas = await Promise.all(
    [10, -20].map(async (minutes) => {
      const now = () => Date.now() + minutes * minuteMs
      const store = await openPostgresStore(url, { clock: { ...systemClock, now } })
      onTestFinished(() => store.close())
      return { now, store }
    }),
  )
  for (const [index, writer] of replicas.entries()) {
    const dueAt = (afterMs: number) => waiting({ dueAt: new Date(writer.now() + afterMs).toISOString() })
    await writer.store.accept([
      event(`now${index}`, { [`now${index}`]: dueAt(0) }),
      event(`later${index}`, { [`later${index}`]: dueAt(minuteMs) }),
    ])
    for (const [other, { now, store }] of replicas.entries()) {
      const when = { now: now() + 1_000, limit: 9, leaseMs: 0 }
      const due = await store.lease(`now${index}`, when)
      expect([index, other, ...due.map(({ eventId }) => eventId)]).toEqual([index, other, `now${index}`])
      expect(await store.lease(`later${index}`, when)).toEqual([])
      const next = (await store.nextDue(`later${index}`)) ?? 0
      expect(Math.abs(next - now() - minuteMs)).toBeLessThan(5_000)
    }
  }
})
