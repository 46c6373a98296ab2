import { counted } from '../../text/counted.ts'
import type { Disk } from './disk.ts'
import { codeOf, reasonOf, type Unreadable } from './failure.ts'
import { quarantine, type SegmentFiles } from './files.ts'
import type { Kept } from './kept.ts'

interface SealedParts {
  disk: Disk
  files: SegmentFiles
  onTrouble(sentence: string): void
}

interface FoundSealed {
  events: Kept[]
  isHurt: boolean
  /** It is damaged, or version 1 wrote it: it has to be written anew. */
  isOutdated: boolean
  mended: number
  lost: number
}

/** The events of a sealed file, as far as they can be read. Throws `Unreadable` where none can. Changes nothing. */
export async function readSealed(files: SegmentFiles, segment: number): Promise<FoundSealed> {
  const { events, isFirst, isHeadLost, mended, ...read } = await files.readSealed(segment)
  const known = isHeadLost ? await files.readIds(segment) : undefined
  const lost = Math.max(read.lost, (known?.ids.length ?? 0) - events.length)
  const isHurt = mended > 0 || lost > 0 || isHeadLost
  return { events, isHurt, isOutdated: isHurt || isFirst, mended, lost }
}

/**
 * Reads a sealed file, and writes it anew where it is damaged or of version 1. Damage is reported, and the file as it
 * was is kept. Nothing else may write the file meanwhile. Throws `Unreadable` where nothing of it can be saved.
 */
export async function mendSealed(parts: SealedParts, segment: number): Promise<FoundSealed> {
  const found = await readSealed(parts.files, segment)
  if (found.isOutdated) await writeAnew(parts, segment, found)
  return found
}

async function writeAnew(
  { disk, files, onTrouble }: SealedParts,
  segment: number,
  { events, isHurt, mended, lost }: FoundSealed,
): Promise<void> {
  try {
    const held = await heldLost(files, segment, events)
    const suffix = isHurt ? await quarantine(disk, files.path(segment, 'json'), 'copy') : ''
    await files.writeSealed(segment, events)
    if (isHurt) onTrouble(damageOf(files.name(segment, 'json'), { mended, lost, suffix, held }))
  } catch (error) {
    // It stays as it is, and this is done at the next reading.
    if (isHurt)
      onTrouble(`${files.name(segment, 'json')} is damaged and could not be saved (${reasonOf(error)})`)
  }
}

function damageOf(
  name: string,
  { mended, lost, suffix, held }: { mended: number; lost: number; suffix: string; held: number },
): string {
  const kept = `the file as it was is kept as ${name}${suffix}`
  if (lost === 0 && mended === 0) return `the head of ${name} could not be read; nothing is lost, and ${kept}`
  if (lost === 0) return `${name} had a wrong bit and was mended; nothing is lost, and ${kept}`
  return `${counted(lost, 'event')} of ${name} could not be read, and ${kept}; what is lost cannot be shown or sent again; ${pendingOf(held, 'it')}, and everything else is served`
}

/** Sets a damaged sealed file aside and answers what to tell people. Its ids are known from their own file. */
export async function quarantineSealed(
  { disk, files }: Pick<SealedParts, 'disk' | 'files'>,
  segment: number,
  damage: Unreadable,
): Promise<string> {
  const name = files.name(segment, 'json')
  const what = `${name} could not be read (${reasonOf(damage)})`
  const loss = lossOf(await heldLost(files, segment, []))
  try {
    const suffix = await quarantine(disk, files.path(segment, 'json'), 'rename')
    return `${what} and is kept as ${name}${suffix}; ${loss}`
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return `${name} is missing; ${loss}`
    return `${what} and could not be quarantined (${reasonOf(error)}); ${loss}`
  }
}

/** How many notifications were held that are lost with the events of a sealed file; the others are `events`. */
async function heldLost(
  files: Pick<SegmentFiles, 'readIds'>,
  segment: number,
  events: readonly Kept[],
): Promise<number> {
  const there = new Set(events.map(({ id }) => id))
  const known = await files.readIds(segment)
  return known?.held.filter(([id]) => !there.has(id)).length ?? 0
}

/** What a lost sealed file means to people; `held`: so many notifications went with it. */
export function lossOf(held: number): string {
  return `its events cannot be shown or sent again; ${pendingOf(held, 'them')}, and everything else is served`
}

function pendingOf(held: number, what: string): string {
  if (held === 0) return `nothing of ${what} was pending`
  return `${counted(held, 'notification')} that ${held === 1 ? 'was' : 'were'} held for a later hour will not be sent`
}
