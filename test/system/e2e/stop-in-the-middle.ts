import { vi } from 'vitest'
import type { Newsroom } from './newsroom.ts'
import { eachAlone } from './process.ts'

/** A mail that may have arrived comes again after minutes; here after a second. */
const soonAgain = {
  NODE_OPTIONS: `${eachAlone} --import=${new URL('../../support/fakes/soon-again.ts', import.meta.url).href}`,
}

/** The ids of so many events, in the order in which they are fired. */
export function eventIds(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `evt_${String(index).padStart(3, '0')}`)
}

/**
 * Fires these events and ends Bluepencil halfway, when Discord's readers have seen `seen` of them; then starts it again. Answers how the
 * first process ended, and what each channel's readers saw in the end.
 */
export async function stopInTheMiddle(
  newsroom: Newsroom,
  { signal, ids, seen }: { signal: 'SIGTERM' | 'SIGKILL'; ids: string[]; seen: number },
) {
  const { discord } = newsroom

  async function areAllAccepted(): Promise<boolean> {
    const answered = (await newsroom.attempts()).filter(({ status }) => status === 202 || status === 200)
    return new Set(answered.map(({ eventId }) => eventId)).size === ids.length
  }

  async function allRead() {
    const read = await newsroom.read()
    return Object.values(read).every((seenIds) => new Set(seenIds).size === ids.length) && read
  }

  const first = await newsroom.serve(soonAgain)
  for (const [index, id] of ids.entries()) {
    if (index === ids.length / 2) {
      await vi.waitUntil(() => discord.posted(discord.channelId).length >= seen, { interval: 5 })
      first.kill(signal)
    }
    await newsroom.fire({ id, type: 'censorship_spike', model: 'claude', category: 'political', delta: 6 })
  }
  const ended = await first.ended
  await newsroom.serve(soonAgain)
  const triedAgain = async () => {
    newsroom.skip(500)
    return await areAllAccepted()
  }
  await vi.waitUntil(triedAgain, { timeout: 60_000, interval: 50 })
  const read = await vi.waitUntil(allRead, { timeout: 60_000, interval: 50 })
  return {
    ended,
    slack: read.slack.toSorted(),
    discord: read.discord.toSorted(),
    email: read.email.toSorted(),
  }
}
