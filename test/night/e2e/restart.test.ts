import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Newsroom, openNewsroom } from '../../system/e2e/newsroom.ts'
import { eventIds, stopInTheMiddle } from '../../system/e2e/stop-in-the-middle.ts'

const ids = eventIds(40)
let newsroom: Newsroom

beforeEach(async () => {
  const all = 'direction: both'
  newsroom = await openNewsroom({ slack: all, discord: all, email: all })
})
afterEach(() => newsroom?.close())

test('SIGTERM under load loses nothing and repeats nothing', { timeout: 150_000 }, async () => {
  const read = await stopInTheMiddle(newsroom, { signal: 'SIGTERM', ids, seen: 5 })
  expect(read).toEqual({ ended: 0, slack: ids, discord: ids, email: ids })
})

test('kill -9 under load loses nothing and repeats nothing but a mail in flight', {
  timeout: 150_000,
}, async () => {
  const { email, ...others } = await stopInTheMiddle(newsroom, { signal: 'SIGKILL', ids, seen: 5 })
  expect(others).toEqual({ ended: 'SIGKILL', slack: ids, discord: ids })
  expect([...new Set(email)]).toEqual(ids)
  expect(email.length - ids.length).toBeLessThanOrEqual(1)
})
