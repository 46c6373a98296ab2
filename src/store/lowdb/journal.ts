import { dirname } from 'node:path'
import type { Disk, DiskFile } from './disk.ts'
import { type JournalHead, version } from './format.ts'

/** An append-only file of JSON lines. One append at a time: the commit that is under way is its only writer. */
export interface Journal {
  /** Bytes that are known to be on disk; 0 where there is no file yet. */
  size(): number
  /** True while a failed append may have left something behind the good part. */
  isTorn(): boolean
  /** Resolves when the lines are on disk. When it rejects, none of them is part of the journal. */
  append(lines: string): Promise<void>
  /** Cuts off what is behind the good part. */
  mend(): Promise<void>
  /** Lets go of the file until the next append. */
  rest(): Promise<void>
  remove(): Promise<void>
}

/** `good` is how much of the file is to be trusted, `torn` whether there is more. */
export function createJournal(
  disk: Disk,
  path: string,
  { segment, good, torn }: { segment: number; good: number; torn: boolean },
): Journal {
  let size = good
  let isTorn = torn
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
      const bytes = Buffer.from(isNew ? journalHead(segment) + lines : lines)
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
    },
    async remove() {
      await rest()
      await disk.remove(path)
      size = 0
      isTorn = false
    },
  }
}

/** The first line of a journal. */
export function journalHead(segment: number): string {
  const line: JournalHead = { format: 'bluepencil-journal', version, segment }
  return `${JSON.stringify(line)}\n`
}
