import { vi } from 'vitest'
import type { Providers } from './newsroom.ts'

/** What readers see in the end. */
export const grown = {
  slack: ['evt_a', 'evt_d'],
  discord: ['evt_a', 'evt_d'],
  email: ['evt_a', 'evt_b', 'evt_c', 'evt_d'],
}

/**
 * Fires four changes of one story, with the alerts of a minute in one message. Ends when the first message is about three models, and the mailbox
 * has all. `explain` runs the command of that name.
 */
export async function growStory(
  newsroom: Providers & { fire(event: object): Promise<string> },
  explain: (id: string) => Promise<{ code: unknown; stdout: string }>,
): Promise<void> {
  const change = { type: 'censorship_spike', category: 'political' }
  const came = [
    { id: 'evt_a', model: 'claude', delta: 12 },
    { id: 'evt_b', model: 'gemini', delta: 8 },
    { id: 'evt_c', model: 'qwen', delta: 9 },
    { id: 'evt_d', model: 'qwen', delta: -9 },
  ]
  for (const next of came) {
    await newsroom.fire({ ...change, ...next })
    // Of two replicas, the one that is asked later may be quicker.
    await vi.waitUntil(async () => (await explain(next.id)).code === 0, { interval: 20 })
  }
  const lead = 'Three models refuse more political prompts.'
  await vi.waitUntil(
    async () => {
      const [first] = await newsroom.slack.read('ai-desk')
      const [there] = newsroom.discord.posted(newsroom.discord.channelId)
      return [first, there].every((message) => JSON.stringify(message ?? {}).includes(lead))
    },
    { timeout: 60_000, interval: 100 },
  )
  await vi.waitUntil(async () => (await newsroom.read()).email.length === came.length, { interval: 20 })
}
