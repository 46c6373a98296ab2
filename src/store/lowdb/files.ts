import { dirname, join } from 'node:path'
import { Low } from 'lowdb'
import type { Disk } from './disk.ts'
import { Unreadable } from './failure.ts'
import { IdsFile, SealedFile, version } from './format.ts'
import { jsonFile, leftover } from './json-file.ts'
import { Kept } from './kept.ts'

export type SegmentKind = 'journal' | 'json' | 'ids'

/** The files of `DATA/segments`, by number and kind. */
export interface SegmentFiles {
  folder: string
  /** `segments/000001.json`, as trouble and errors name it. */
  name(segment: number, kind: SegmentKind): string
  path(segment: number, kind: SegmentKind): string
  /** What is there, by number. Removes what a crash left of a file that was being replaced. */
  present(): Promise<Map<number, Set<SegmentKind>>>
  /** Throws `Unreadable` where it is missing or damaged. */
  readSealed(segment: number): Promise<Kept[]>
  /** Writes the sealed file, then what is derived from it. */
  writeSealed(segment: number, events: Kept[]): Promise<void>
  /** Answers undefined where there is none that can be read. */
  readIds(segment: number): Promise<IdsFile | undefined>
  /** Answers what it wrote, or could not write: it is made again at the next opening. */
  writeIds(segment: number, events: Kept[]): Promise<IdsFile>
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

  async function writeIds(segment: number, events: Kept[]): Promise<IdsFile> {
    const data: IdsFile = { ...summarise(events), segment, bytes: await sealedBytes(segment) }
    // It is made again where it cannot be read, and the disk has each commit waiting for it otherwise.
    const file = jsonFile(disk, path(segment, 'ids'), IdsFile, { sync: false })
    await new Low<IdsFile>(file, data).write().catch(() => undefined)
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
      const file = new Low<SealedFile | null>(jsonFile(disk, path(segment, 'json'), SealedFile), null)
      await file.read()
      if (file.data === null) throw new Unreadable('it is missing')
      if (file.data.segment !== segment) throw new Unreadable(`it is segment ${file.data.segment}`)
      return file.data.events.map(Kept.read)
    },
    async writeSealed(segment, events) {
      const data: SealedFile = { format: 'bluepencil-segment', version, segment, events }
      const file = jsonFile(disk, path(segment, 'json'), SealedFile, { textOf })
      await new Low<SealedFile>(file, data).write()
      await writeIds(segment, events)
    },
    async readIds(segment) {
      const file = new Low<IdsFile | null>(jsonFile(disk, path(segment, 'ids'), IdsFile), null)
      try {
        await file.read()
      } catch (error) {
        if (error instanceof Unreadable) return undefined
        throw error
      }
      return file.data?.segment === segment ? file.data : undefined
    },
  }
}

function isKind(kind: string | undefined): kind is SegmentKind {
  return kind === 'journal' || kind === 'json' || kind === 'ids'
}

function textOf(event: unknown): string {
  return event instanceof Kept ? event.json() : JSON.stringify(event)
}

function summarise(events: Kept[]) {
  return {
    format: 'bluepencil-ids' as const,
    version,
    first: Math.min(...events.map(({ seq }) => seq)),
    last: Math.max(...events.map(({ seq }) => seq)),
    newestAt: Math.max(...events.map(({ at }) => at)),
    ids: events.map(({ id }) => id),
  } satisfies Omit<IdsFile, 'segment' | 'bytes'>
}

/** Keeps a damaged file under a name that nothing reads, and answers what was added to its name. Deletes nothing. */
export async function setAside(disk: Disk, path: string, how: 'rename' | 'copy'): Promise<string> {
  for (let n = 1; ; n++) {
    const suffix = `.damaged-${n}`
    if ((await disk.stat(path + suffix)) !== undefined) continue
    await disk[how](path, path + suffix)
    await disk.syncFolder(dirname(path))
    return suffix
  }
}
