import { join } from 'node:path'
import { Low } from 'lowdb'
import { type StateKey, stateKeys } from '../store.ts'
import { type Chain, chainFile } from './chain.ts'
import type { Disk } from './disk.ts'
import { unavailable } from './failure.ts'
import { type SegmentFiles, type SegmentKind, segmentFiles } from './files.ts'
import { type Stored, stateForm } from './forms.ts'
import { jsonFile } from './json-file.ts'
import type { Memory } from './memory.ts'
import type { State } from './state.ts'

interface SnapshotParts {
  disk: Disk
  folder: string
  files: SegmentFiles
  memory: Memory
  state: State
  chain: Pick<Chain, 'size'>
}

/** All that was on disk at one moment: how far each file that grows had come, and what small state was. */
interface Moment {
  journals: { number: number; bytes: number }[]
  chainBytes: number
  state: Stored['state']
}

/**
 * Makes a store in `to`, a folder in the store's own, as it would be found if the process had ended at one moment. What is sealed is
 * linked, since it is replaced and never changed; what grows is copied as far as it had come. Only where no segment is sealed,
 * dropped or brought back meanwhile; deliveries go on.
 */
export async function takeSnapshot(parts: SnapshotParts, to: string): Promise<void> {
  const { disk, folder, files } = parts
  const there = segmentFiles(disk, to)
  try {
    await disk.makeFolder(to)
    await disk.makeFolder(there.folder)
    const moment = await momentOf(parts)
    for (const { number, bytes } of moment.journals) {
      for (const kind of ['json', 'ids'] satisfies SegmentKind[]) {
        if ((await disk.stat(files.path(number, kind))) === undefined) continue
        await disk.link(files.path(number, kind), there.path(number, kind))
      }
      if (bytes > 0)
        await copyStart(disk, files.path(number, 'journal'), there.path(number, 'journal'), bytes)
    }
    if (moment.chainBytes > 0) {
      await copyStart(disk, join(folder, chainFile), join(to, chainFile), moment.chainBytes)
    }
    const empty: Stored = { state: moment.state, lostKeys: [], mended: 0, lost: 0 }
    await new Low<Stored>(jsonFile(disk, join(to, 'state.json'), stateForm), empty).write()
    await disk.syncFolder(there.folder)
    await disk.syncFolder(to)
  } catch (cause) {
    throw unavailable('the store could not be copied', cause)
  }
}

/** While no change of small state is under way, within one turn of the event loop. */
async function momentOf({ memory, state, chain }: SnapshotParts): Promise<Moment> {
  let moment: Moment | undefined
  const keys: (StateKey | 'history')[] = [...stateKeys, 'history']
  await state.change('history', () => {
    moment = {
      journals: memory.segments.map(({ number, journal }) => ({ number, bytes: journal.size() })),
      chainBytes: chain.size(),
      state: Object.fromEntries(keys.map((key) => [key, state.read(key)])),
    }
    return undefined
  })
  if (moment === undefined) throw new Error('the moment was missed')
  return moment
}

async function copyStart(disk: Disk, from: string, to: string, bytes: number): Promise<void> {
  const whole = await disk.read(from)
  if (whole === undefined || whole.length < bytes) throw new Error('a journal is shorter than it was')
  await disk.create(to, whole.subarray(0, bytes), { sync: true })
}
