import { dirname, join } from 'node:path'
import { Low } from 'lowdb'
import { contentsOf } from './contents.ts'
import type { Disk } from './disk.ts'
import { Unreadable } from './failure.ts'
import { eventIn, type Ids, idsForm, type Sealed, sealedForm } from './forms.ts'
import { heldRows } from './held.ts'
import { jsonFile, leftover } from './json-file.ts'
import type { Kept } from './kept.ts'

export type SegmentKind = 'journal' | 'json' | 'ids'

/** The files of `DATA/segments`, by number and kind. */
export interface SegmentFiles {
  folder: string
  /** `segments/000001.json`, as trouble and errors name it. */
  name(segment: number, kind: SegmentKind): string
  path(segment: number, kind: SegmentKind): string
  /** What is there, by number. Removes what a crash left of a file that was being replaced. */
  present(): Promise<Map<number, Set<SegmentKind>>>
  /** Throws `Unreadable` where it is missing or nothing of it can be read. */
  readSealed(segment: number): Promise<Sealed>
  /** One event of it, where that can be read without the others; undefined where it cannot, or is not there. Rejects where nothing can be read. */
  readOne(segment: number, id: string): Promise<Kept | undefined>
  /** Writes the sealed file, then what is derived from it. */
  writeSealed(segment: number, events: Kept[]): Promise<Ids>
  /** Answers undefined where there is none that can be read. */
  readIds(segment: number): Promise<Ids | undefined>
  /** Answers what it wrote, or could not write: it is made again at the next opening. */
  writeIds(segment: number, events: Kept[]): Promise<Ids>
  /** The length of the sealed file. */
  sealedBytes(segment: number): Promise<number>
}

const fileName = /^(\d{6,})\.(journal|json|ids)$/

export function segmentFiles(disk: Disk, dataFolder: string): SegmentFiles {
  const folder = join(dataFolder, 'segments')
  const name = (segment: number, kind: SegmentKind) => `segments/${String(segment).padStart(6, '0')}.${kind}`
  const path = (segment: number, kind: SegmentKind) => join(dataFolder, name(segment, kind))

  async function sealedBytes(segment: number): Promise<number> {
    return (await disk.stat(path(segment, 'json')))?.size ?? 0
  }

  async function readIds(segment: number): Promise<Ids | undefined> {
    const file = new Low<Ids | null>(jsonFile(disk, path(segment, 'ids'), idsForm), null)
    try {
      await file.read()
    } catch (error) {
      if (error instanceof Unreadable) return undefined
      throw error
    }
    return file.data?.segment === segment ? file.data : undefined
  }

  async function writeIds(segment: number, events: Kept[]): Promise<Ids> {
    const data = { ...summarise(events, await readIds(segment)), segment, bytes: await sealedBytes(segment) }
    // It is made again where it cannot be read, and the disk has each commit waiting for it otherwise.
    const file = jsonFile(disk, path(segment, 'ids'), idsForm, { sync: false })
    await new Low<Ids>(file, data).write().catch(() => undefined)
    return data
  }

  return {
    folder,
    name,
    path,
    sealedBytes,
    writeIds,
    async present() {
      const found = new Map<number, Set<SegmentKind>>()
      for (const file of (await disk.list(folder)).sort()) {
        if (leftover.test(file)) await disk.remove(join(folder, file))
        const [, digits, kind] = fileName.exec(file) ?? []
        if (digits === undefined || !isKind(kind)) continue
        const number = Number(digits)
        found.set(number, (found.get(number) ?? new Set()).add(kind))
      }
      return new Map([...found].sort(([a], [b]) => a - b))
    },
    async readSealed(segment) {
      const file = new Low<Sealed | null>(jsonFile(disk, path(segment, 'json'), sealedForm), null)
      await file.read()
      if (file.data === null) throw new Unreadable('it is missing')
      if (file.data.segment !== segment) throw new Unreadable(`it is segment ${file.data.segment}`)
      if (file.data.events.length === 0) throw new Unreadable('none of its events is whole')
      return file.data
    },
    async readOne(segment, id) {
      const bytes = await disk.read(path(segment, 'json'))
      return bytes && eventIn(bytes, segment, id)
    },
    async writeSealed(segment, events) {
      const data: Sealed = { segment, events, isFirst: false, isHeadLost: false, mended: 0, lost: 0 }
      await new Low<Sealed>(jsonFile(disk, path(segment, 'json'), sealedForm), data).write()
      return writeIds(segment, events)
    },
    readIds,
  }
}

function isKind(kind: string | undefined): kind is SegmentKind {
  return kind === 'journal' || kind === 'json' || kind === 'ids'
}

/** `known`: what was known of the segment before. Events that have been lost since are still known by their ids. */
function summarise(events: Kept[], known: Ids | undefined): Omit<Ids, 'segment' | 'bytes'> {
  const there = new Set(events.map(({ id }) => id))
  const gone = known?.ids.flatMap((id, index) => (there.has(id) ? [] : [{ id, index }])) ?? []
  const ids = [...there, ...gone.map(({ id }) => id)]
  const contents = new Uint32Array(2 * ids.length)
  contents.set(contentsOf(events))
  for (const [offset, { index }] of gone.entries()) {
    contents.set(known?.contents.subarray(2 * index, 2 * index + 2) ?? [], 2 * (events.length + offset))
  }
  const before = gone.length > 0 ? known : undefined
  return {
    first: least(
      events.map(({ seq }) => seq),
      before?.first,
    ),
    last: most(
      events.map(({ seq }) => seq),
      before?.last,
    ),
    newestAt: most(
      events.map(({ at }) => at),
      before?.newestAt,
    ),
    newestSaid: most(
      events.map(({ detectedMs }) => detectedMs),
      before?.newestSaid,
    ),
    ids,
    contents,
    held: heldRows(events),
    about: [
      ...events.flatMap(({ id, names }): Ids['about'] => (names.length === 0 ? [] : [[id, ...names]])),
      ...(before?.about.filter(([id]) => !there.has(id)) ?? []),
    ],
  }
}

function least(numbers: number[], other = Number.POSITIVE_INFINITY): number {
  return Math.min(other, ...numbers)
}

function most(numbers: number[], other = 0): number {
  return Math.max(other, ...numbers)
}

/** Keeps a damaged file under a name that nothing reads, and answers what was added to its name. Deletes nothing. */
export async function quarantine(disk: Disk, path: string, how: 'rename' | 'copy'): Promise<string> {
  for (let n = 1; ; n++) {
    const suffix = `.damaged-${n}`
    if ((await disk.stat(path + suffix)) !== undefined) continue
    await disk[how](path, path + suffix)
    await disk.syncFolder(dirname(path))
    return suffix
  }
}
