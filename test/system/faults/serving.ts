import { vi } from 'vitest'
import type { Newsroom } from '../e2e/newsroom.ts'
import { eachAlone, type Running, start } from '../e2e/process.ts'

/** What a test fires; it gives the id. */
export const shown = { type: 'censorship_spike', model: 'claude', category: 'political', delta: 6 }

/** Starts `serve` for a newsroom in circumstances of its own, and waits until it is subscribed. */
export async function serve(newsroom: Newsroom, options: Parameters<typeof start>[1]): Promise<Running> {
  const env = { ...options?.env, NODE_OPTIONS: `${eachAlone} ${options?.env?.NODE_OPTIONS ?? ''}` }
  const serving = start(['serve', '--config', newsroom.configFile], { ...options, env })
  await vi.waitUntil(
    () => {
      if (serving.stderr().includes('bluepencil: ')) throw new Error(serving.stderr())
      return subscription(serving) === 'active'
    },
    { timeout: 20_000, interval: 25 },
  )
  return serving
}

/** How the subscription stands, by the log. */
export function subscription(serving: Running): unknown {
  const last = serving.log().findLast((line) => line.message === 'subscription')?.subscription
  return typeof last === 'object' && last !== null && 'state' in last ? last.state : undefined
}
