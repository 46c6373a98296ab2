import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type * as z from 'zod'
import type { Disk } from './disk.ts'
import { codeOf } from './failure.ts'
import { parseStored } from './format.ts'

/** What a crash leaves of a file that was being replaced: NAME.new, or NAME.new.NUMBER of write-file-atomic. */
export const leftover = /\.new(\.\d+)?$/

/** A lowdb adapter, for data that is there (`Low<T>`) as for data that may be missing (`Low<T | null>`). */
interface JsonFile<T> {
  read(): Promise<T | null>
  write(data: T | null): Promise<void>
}

/**
 * lowdb's own adapters do not fsync; this one does. Reading answers null where there is no file, and throws
 * `Unreadable` where it is not what the schema says. After a failed write the file is as it was before.
 */
export function jsonFile<T extends { format: string }>(
  disk: Disk,
  path: string,
  schema: z.ZodType<T>,
): JsonFile<T> {
  return {
    async read() {
      const bytes = await readIfThere(path)
      return bytes === undefined ? null : parseStored(bytes, schema)
    },
    write: (data) => replaceFile(disk, path, JSON.stringify(data)),
  }
}

/** The file is the old one or the new one, whole, at every moment and after every crash. */
export async function replaceFile(disk: Disk, path: string, text: string): Promise<void> {
  const fresh = `${path}.new`
  await disk.create(fresh, text)
  await disk.rename(fresh, path)
  await disk.syncFolder(dirname(path))
}

export async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}
