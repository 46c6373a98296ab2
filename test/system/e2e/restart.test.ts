import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Newsroom, openNewsroom } from './newsroom.ts'
import { eventIds, stopInTheMiddle } from './stop-in-the-middle.ts'

// SIGTERM, and under more load: test/night/e2e/restart.test.ts.
const ids = eventIds(8)
let newsroom: Newsroom

beforeEach(async () => {
  const all = 'direction: both'
  newsroom = await openNewsroom({ slack: all, discord: all, email: all })
})
afterEach(() => newsroom?.close())

test('kill -9 in the middle loses nothing and repeats nothing but a mail in flight', {
  timeout: 120_000,
}, async () => {
  const { email, ...others } = await stopInTheMiddle(newsroom, { signal: 'SIGKILL', ids, seen: 2 })
  expect(others).toEqual({ ended: 'SIGKILL', slack: ids, discord: ids })
  expect([...new Set(email)]).toEqual(ids)
  // Nobody can be asked whether a mail arrived: the one that was on its way goes again, under the same Message-ID.
  expect(email.length - ids.length).toBeLessThanOrEqual(1)
})
