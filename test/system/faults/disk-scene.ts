import { spawnSync } from 'node:child_process'
import { expect, vi } from 'vitest'
import { type Newsroom, openNewsroom } from '../e2e/newsroom.ts'
import { shown } from './serving.ts'

/** A newsroom that watches what becomes of deliveries while the disk of its store is sick. */
export async function openDiskScene() {
  const all = 'direction: both'
  const newsroom: Newsroom = await openNewsroom({ slack: all, discord: all, email: all })

  const answered = async (status: number) =>
    (await newsroom.attempts()).filter((attempt) => attempt.status === status).map(({ eventId }) => eventId)

  async function everybodyReads(ids: string[]): Promise<void> {
    await vi.waitFor(
      async () => {
        const { slack, discord, email } = await newsroom.read()
        expect([slack, discord, email].map((seen) => seen.toSorted())).toEqual([ids, ids, ids])
      },
      { timeout: 25_000, interval: 100 },
    )
  }

  /** What operators were sent about the store, in order. */
  async function noticesOfStore(): Promise<string[]> {
    const messages = await newsroom.slack.read('ai-desk')
    return messages.flatMap(({ text }) => /^The store .*$/m.exec(String(text))?.[0] ?? [])
  }

  async function status(page: string): Promise<number> {
    return (await fetch(`${newsroom.origin}${page}`)).status
  }

  return {
    newsroom,
    everybodyReads,
    status,
    /**
     * While `sick`, deliveries are answered 503 and nobody gets what is not stored. When it is resolved, the service sends them
     * again and everybody reads them, once.
     */
    async losesNothing(sick: () => void, well: () => void): Promise<void> {
      await newsroom.fire({ ...shown, id: 'evt_00' })
      await everybodyReads(['evt_00'])
      sick()
      const ids = Array.from({ length: 12 }, (_, index) => `evt_${String(index).padStart(2, '0')}`)
      for (const id of ids.slice(1)) await newsroom.fire({ ...shown, id })
      await vi.waitUntil(async () => new Set(await answered(503)).size >= 3, { timeout: 10_000 })
      await vi.waitUntil(async () => (await status('/readyz')) === 503, { timeout: 10_000 })
      expect(await status('/healthz')).toBe(200)
      const accepted = await answered(202)
      expect((await newsroom.read()).discord.filter((id) => !accepted.includes(id))).toEqual([])
      well()
      await everybodyReads(ids)
      expect((await answered(202)).toSorted()).toEqual(ids)
      await vi.waitUntil(async () => (await noticesOfStore()).length > 0, { timeout: 10_000 })
      expect((await noticesOfStore()).filter((title) => title !== 'The store can be written again')).toEqual([
        'The store cannot be written',
      ])
      await vi.waitUntil(async () => (await status('/readyz')) === 200, { timeout: 10_000 })
    },
  }
}

export function succeeds([command = '', ...args]: string[]): boolean {
  return spawnSync(command, args).status === 0
}
