import { join } from 'node:path'
import type { Disk } from './disk.ts'
import { unavailable } from './failure.ts'

/** About what one commit writes. */
const room = Buffer.alloc(64 * 1024)

/**
 * Writes a file of its own and waits until it is on disk. It is empty in between, so that it needs room anew each
 * time, as an event does. Whoever asks while one is under way shares its answer.
 */
export function createProbe(disk: Disk, folder: string): () => Promise<void> {
  let underWay: Promise<void> | undefined

  async function write(): Promise<void> {
    const file = await disk.open(join(folder, 'probe'))
    try {
      await file.write(room, 0)
    } finally {
      await file.truncate(0).catch(() => undefined)
      await file.close()
    }
  }

  return async () => {
    underWay ??= write().finally(() => {
      underWay = undefined
    })
    try {
      await underWay
    } catch (error) {
      throw unavailable('an event could not be stored now', error)
    }
  }
}
