import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Newsroom, openNewsroom } from './newsroom.ts'

let newsroom: Newsroom

beforeEach(async () => {
  newsroom = await openNewsroom({
    slack: 'direction: both',
    discord: 'direction: both',
    email: 'direction: both',
  })
})
afterEach(() => newsroom?.close())

/** What cannot be asked for comes again after minutes; not here. */
const soonAgain = {
  NODE_OPTIONS: `--import=${new URL('../../support/fakes/soon-again.ts', import.meta.url).href}`,
}
const ids = Array.from({ length: 40 }, (_, index) => `evt_${String(index).padStart(3, '0')}`)

/** Answers how the first process ended, and what each channel's readers saw in the end. */
async function stopInTheMiddle(signal: 'SIGTERM' | 'SIGKILL') {
  const { discord } = newsroom
  const first = await newsroom.serve(soonAgain)
  for (const [index, id] of ids.entries()) {
    if (index === 20) {
      await vi.waitUntil(() => discord.posted(discord.channelId).length >= 5, { timeout: 20_000 })
      first.kill(signal)
    }
    await newsroom.fire({ id, type: 'censorship_spike', model: 'claude', category: 'political', delta: 6 })
  }
  const ended = await first.ended
  await newsroom.serve(soonAgain)
  await vi.waitUntil(everythingAccepted, { timeout: 30_000, interval: 50 })
  const read = await vi.waitUntil(everythingRead, { timeout: 30_000, interval: 100 })
  return {
    ended,
    slack: read.slack.toSorted(),
    discord: read.discord.toSorted(),
    email: read.email.toSorted(),
  }
}

async function everythingAccepted(): Promise<boolean> {
  const answered = (await newsroom.attempts()).filter(({ status }) => status === 202 || status === 200)
  return new Set(answered.map(({ eventId }) => eventId)).size === ids.length
}

async function everythingRead() {
  const read = await newsroom.read()
  return Object.values(read).every((seen) => new Set(seen).size === ids.length) && read
}

test('SIGTERM in the middle loses nothing and repeats nothing', { timeout: 90_000 }, async () => {
  expect(await stopInTheMiddle('SIGTERM')).toEqual({ ended: 0, slack: ids, discord: ids, email: ids })
})

test('kill -9 in the middle loses nothing and repeats nothing but a mail in flight', {
  timeout: 90_000,
}, async () => {
  const { email, ...others } = await stopInTheMiddle('SIGKILL')
  expect(others).toEqual({ ended: 'SIGKILL', slack: ids, discord: ids })
  expect([...new Set(email)]).toEqual(ids)
  // Nobody can be asked whether a mail arrived: the one that was on its way goes again, under the same Message-ID.
  expect(email.length - ids.length).toBeLessThanOrEqual(1)
})
