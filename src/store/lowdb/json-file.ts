import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { checkedLine } from './checked.ts'
import type { Disk } from './disk.ts'

/** So many lines are made into text at a time: some tenths of a millisecond. */
const sliceLength = 50

/** What a crash leaves of a file that was being replaced: NAME.new, or NAME.new.NUMBER of write-file-atomic. */
export const leftover = /\.new(\.\d+)?$/

interface Durability {
  sync: boolean
}

/** How the data of a file is written in lines, and read. */
export interface Form<T> {
  /** Throws `Unreadable` where nothing of it is what it should be. */
  parse(bytes: Buffer): T
  /** JSON objects; their checksums are added. */
  lines(data: T): Iterable<string>
}

/** A lowdb adapter, for data that is there (`Low<T>`) as for data that may be missing (`Low<T | null>`). */
interface JsonFile<T> {
  read(): Promise<T | null>
  write(data: T | null): Promise<void>
}

/**
 * lowdb's own adapters do not fsync; this one does. Reading answers null where there is no file. After a failed write
 * the file is as it was before. What is written must not change until that ends.
 */
export function jsonFile<T>(
  disk: Disk,
  path: string,
  form: Form<T>,
  durability: Durability = { sync: true },
): JsonFile<T> {
  return {
    async read() {
      const bytes = await disk.read(path)
      return bytes === undefined ? null : form.parse(bytes)
    },
    async write(data) {
      if (data !== null) await replaceFile(disk, path, await textOf(form.lines(data)), durability)
    },
  }
}

/** A whole segment at once would hold every answer up for some milliseconds. */
async function textOf(lines: Iterable<string>): Promise<string> {
  let text = ''
  let count = 0
  for (const line of lines) {
    if (count > 0 && count % sliceLength === 0) await setImmediate()
    text += checkedLine(line)
    count += 1
  }
  return text
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
