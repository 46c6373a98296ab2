import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { checkedBytes } from './checked.ts'
import type { Disk } from './disk.ts'

/** So many lines are made into bytes at a time: some tenths of a millisecond. */
const sliceLength = 50

/** What a crash leaves of a file that was being replaced: NAME.new; earlier versions left NAME.new.NUMBER. */
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
      if (data !== null) await replaceFile(disk, path, await bytesOf(form.lines(data)), durability)
    },
  }
}

/** A whole segment at once would hold every answer up for some milliseconds. */
async function bytesOf(lines: Iterable<string>): Promise<Uint8Array> {
  const slices: Uint8Array[] = []
  let slice: string[] = []
  for (const line of lines) {
    slice.push(line.slice(1))
    if (slice.length < sliceLength) continue
    slices.push(checkedBytes(slice))
    slice = []
    await setImmediate()
  }
  return Buffer.concat([...slices, checkedBytes(slice)])
}

/**
 * The file is the old one or the new one, whole, at every moment and after every crash. Without `sync` that holds when
 * the process ends; the machine's end may leave neither, so it is for what can be made again.
 */
export async function replaceFile(
  disk: Disk,
  path: string,
  bytes: Uint8Array,
  { sync }: Durability = { sync: true },
): Promise<void> {
  const fresh = `${path}.new`
  await disk.create(fresh, bytes, { sync })
  await disk.rename(fresh, path)
  if (sync) await disk.syncFolder(dirname(path))
}
