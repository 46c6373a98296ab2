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

const ids = Array.from({ length: 40 }, (_, index) => `evt_${String(index).padStart(3, '0')}`)

async function stopInTheMiddle(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  const first = await newsroom.serve()
  for (const [index, id] of ids.entries()) {
    if (index === 20) {
      await vi.waitUntil(async () => newsroom.discord.posted(newsroom.discord.channelId).length >= 5)
      first.kill(signal)
    }
    await newsroom.fire({ id, type: 'censorship_spike', model: 'claude', category: 'political', delta: 6 })
  }
  expect(await first.ended).toBe(signal === 'SIGTERM' ? 0 : 'SIGKILL')
  await newsroom.serve()
  const accepted = async () =>
    new Set(
      (await newsroom.attempts())
        .filter(({ status }) => status === 202 || status === 200)
        .map(({ eventId }) => eventId),
    )
  await vi.waitUntil(async () => (await accepted()).size === ids.length, { timeout: 30_000, interval: 50 })
  const everything = async () => {
    const { slack, discord, email } = await newsroom.read()
    expect({ slack: [...slack].sort(), discord: [...discord].sort(), email: [...email].sort() }).toEqual({
      slack: ids,
      discord: ids,
      email: ids,
    })
  }
  await vi.waitFor(everything, { timeout: 30_000, interval: 100 })
}

test('SIGTERM in the middle loses nothing and repeats nothing', () => stopInTheMiddle('SIGTERM'), 90_000)

test('kill -9 in the middle loses nothing and repeats nothing', () => stopInTheMiddle('SIGKILL'), 90_000)
