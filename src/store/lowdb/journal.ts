import { dirname } from 'node:path'
import { checkedBytes } from './checked.ts'
import type { Disk, DiskFile } from './disk.ts'
import { type JournalHead, version } from './format.ts'

/** An append-only file of JSON lines. One append at a time: the commit that is under way is its only writer. */
export interface Journal {
  /** Bytes that are known to be on disk; 0 where there is no file yet. */
  size(): number
  /** True while a failed append may have left something behind the good part. */
  isTorn(): boolean
  /** The lines are JSON objects, without their opening brace and a line feed. Resolves when they are on disk. When it rejects, none of them is part of the journal. */
  append(lines: readonly string[]): Promise<void>
  /** Cuts off what is behind the good part. */
  mend(): Promise<void>
  /** Lets go of the file until the next append. */
  rest(): Promise<void>
  remove(): Promise<void>
}

export interface JournalFound {
  /** How many bytes are to be trusted. */
  good: number
  /** Whether there are more. */
  torn: boolean
  /** The number of the last line, which the next goes on from; 0 is the head. */
  lines: number
}

export function createJournal(
  disk: Disk,
  path: string,
  { segment, good, torn, lines: known }: JournalFound & { segment: number },
): Journal {
  let size = good
  let isTorn = torn
  let count = known
  let file: DiskFile | undefined

  async function mend(): Promise<void> {
    if (!isTorn) return
    // After a failed write the kernel may call pages clean that it never wrote, and tells each descriptor of it only
    // once: a new descriptor, cut back to what an earlier write confirmed, is sure again.
    await rest()
    file = await disk.open(path)
    try {
      await file.truncate(size)
    } catch (error) {
      await rest()
      throw error
    }
    isTorn = false
  }

  async function rest(): Promise<void> {
    const open = file
    file = undefined
    await open?.close().catch(() => undefined)
  }

  return {
    size: () => size,
    isTorn: () => isTorn,
    mend,
    rest,
    async append(lines) {
      await mend()
      const isNew = size === 0
      const written = journalLines(segment, count, lines)
      const bytes = isNew ? Buffer.concat([journalHead(segment), written]) : written
      file ??= await disk.open(path)
      isTorn = true
      try {
        await file.write(bytes, size)
        if (isNew) await disk.syncFolder(dirname(path))
      } catch (error) {
        await mend().catch(() => undefined)
        throw error
      }
      isTorn = false
      size += bytes.length
      count += lines.length
    },
    async remove() {
      await rest()
      await disk.remove(path)
      size = 0
      count = 0
      isTorn = false
    },
  }
}

/** The first line of a journal. */
export function journalHead(segment: number): Buffer {
  const line: JournalHead = { format: 'bluepencil-journal', version, segment }
  return checkedBytes([JSON.stringify(line).slice(1)])
}

/**
 * Each line carries its segment and its number, so that each can be read by itself and a missing one is noticed.
 * `lines`: without their opening brace.
 */
export function journalLines(segment: number, last: number, lines: readonly string[]): Buffer {
  return checkedBytes(lines.map((line, index) => `"in":${segment},"n":${last + 1 + index},${line}`))
}
