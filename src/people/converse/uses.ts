import * as z from 'zod'
import { hourMs } from '../../platform/durations.ts'
import type { StoredValue } from '../../store/store.ts'

/** ISO 8601, by the id of what was used. */
const Uses = z.record(z.string(), z.string()).catch({})

/** When secrets were last used, to the hour. */
export interface HourlyUses {
  read(): Promise<Record<string, string>>
  /** No request waits for it. */
  note(id: string): void
  /** It was withdrawn. */
  drop(id: string): Promise<void>
}

export function hourlyUses({
  stored,
  now,
  onError,
}: {
  stored: StoredValue
  now(): number
  onError(error: unknown): void
}): HourlyUses {
  const noting = new Set<string>()

  async function note(id: string): Promise<void> {
    if (noting.has(id)) return
    noting.add(id)
    const at = new Date(now()).toISOString()
    const isNoted = (usedAt = '') => Math.abs(now() - Date.parse(usedAt)) < hourMs
    await stored
      .change((before) => {
        const uses = Uses.parse(before)
        return isNoted(uses[id]) ? undefined : { ...uses, [id]: at }
      })
      .catch(onError)
      .finally(() => noting.delete(id))
  }

  return {
    read: async () => Uses.parse(await stored.read()),
    note: (id) => void note(id),
    drop: (id) =>
      stored.change((before) => {
        const { [id]: used, ...others } = Uses.parse(before)
        return used === undefined ? undefined : others
      }),
  }
}
