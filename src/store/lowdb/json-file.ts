import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type * as z from 'zod'
import type { Disk } from './disk.ts'
import { parseStored } from './format.ts'

/** So much of a list is made into text at a time: some tenths of a millisecond. */
const sliceLength = 50

/** What a crash leaves of a file that was being replaced: NAME.new, or NAME.new.NUMBER of write-file-atomic. */
export const leftover = /\.new(\.\d+)?$/

interface Durability {
  sync: boolean
}

interface Writing extends Partial<Durability> {
  /** What `JSON.stringify` would make of the member of a list. */
  textOf?: (member: unknown) => string
}

/** A lowdb adapter, for data that is there (`Low<T>`) as for data that may be missing (`Low<T | null>`). */
interface JsonFile<T> {
  read(): Promise<T | null>
  write(data: T | null): Promise<void>
}

/**
 * lowdb's own adapters do not fsync; this one does. Reading answers null where there is no file, and throws
 * `Unreadable` where it is not what the schema says. After a failed write the file is as it was before. What is
 * written must not change until that ends.
 */
export function jsonFile<T extends { format: string }>(
  disk: Disk,
  path: string,
  schema: z.ZodType<T>,
  { sync = true, textOf = JSON.stringify }: Writing = {},
): JsonFile<T> {
  return {
    async read() {
      const bytes = await disk.read(path)
      return bytes === undefined ? null : parseStored(bytes, schema)
    },
    write: async (data) => replaceFile(disk, path, await serialised(data, textOf), { sync }),
  }
}

/** What `JSON.stringify` makes of it. A whole segment at once would hold every answer up for some milliseconds. */
async function serialised(data: object | null, textOf: (member: unknown) => string): Promise<string> {
  if (data === null) return 'null'
  const members: string[] = []
  for (const [key, value] of Object.entries(data)) {
    const text = Array.isArray(value) ? await serialisedList(value, textOf) : JSON.stringify(value)
    members.push(`${JSON.stringify(key)}:${text}`)
  }
  return `{${members.join()}}`
}

async function serialisedList(
  list: readonly unknown[],
  textOf: (member: unknown) => string,
): Promise<string> {
  const slices: string[] = []
  for (let start = 0; start < list.length; start += sliceLength) {
    if (start > 0) await setImmediate()
    const slice = list.slice(start, start + sliceLength)
    slices.push(slice.map((member) => textOf(member)).join())
  }
  return `[${slices.join()}]`
}

/**
 * The file is the old one or the new one, whole, at every moment and after every crash. Without `sync` that holds when
 * the process ends; the machine's end may leave neither, so it is for what can be made again.
 */
export async function replaceFile(
  disk: Disk,
  path: string,
  text: string,
  { sync }: Durability = { sync: true },
): Promise<void> {
  const fresh = `${path}.new`
  await disk.create(fresh, text, { sync })
  await disk.rename(fresh, path)
  if (sync) await disk.syncFolder(dirname(path))
}
