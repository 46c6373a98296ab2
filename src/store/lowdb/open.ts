import { join } from 'node:path'
import {
  type ChangeOutcome,
  type DueNotification,
  type NewEntry,
  type Store,
  StoreUnavailable,
  type Verdict,
} from '../store.ts'
import { createArchive } from './archive.ts'
import { openChain } from './chain.ts'
import { createCommitter } from './commit.ts'
import { createUpkeep } from './compaction.ts'
import { type Disk, outliveFileSizeLimit, realDisk } from './disk.ts'
import { reasonOf, refused } from './failure.ts'
import { type SegmentFiles, segmentFiles } from './files.ts'
import { type History, lastSign, openHistory } from './history.ts'
import { leftover } from './json-file.ts'
import { lockFolder } from './lock.ts'
import { createMemory, createSegment, type Memory } from './memory.ts'
import { findMissing } from './missing.ts'
import { createProbe } from './probe.ts'
import { joined } from './ranges.ts'
import { type Recovered, recover } from './recover.ts'
import { laterOf } from './related.ts'
import { takeSnapshot } from './snapshot.ts'
import { openState, type State, stateIsMissing } from './state.ts'

export interface LowdbOptions {
  /** Milliseconds since the epoch: when an event counts as accepted, for retention. */
  now(): number
  /** Told in one sentence of each file that was damaged and set aside. */
  onTrouble(sentence: string): void
  /** Told in one sentence that our clock is in doubt, so that no old event is dropped, and null when it no longer is; else `onTrouble` is told. */
  onDoubt?: ((sentence: string | null) => void) | undefined
  /** Events in one segment; a test wants few. */
  segmentSize?: number
  /** A test's own. */
  disk?: Disk
}

/**
 * Opens the store of one process in a folder, which is made where it is missing. Throws `StoreRefused` where another
 * process has it or it cannot be used.
 *
 *     lock                      keeps other processes out
 *     state.json                small state
 *     chain.journal             the hash chain over what was accepted
 *     probe                     what `probe` writes; empty otherwise
 *     segments/NNNNNN.journal   events and changes, a JSON line each, appended
 *     segments/NNNNNN.json      the events of a sealed segment
 *     segments/NNNNNN.ids       their ids, made from it
 *     *.damaged-N               what could not be read, for a person to look at
 */
export async function openLowdbStore(folder: string, options: LowdbOptions): Promise<Store> {
  outliveFileSizeLimit()
  const { disk = realDisk } = options
  const lock = await lockFolder(disk, folder, options.onTrouble)
  try {
    return await openLocked(folder, options, lock)
  } catch (cause) {
    lock.release()
    throw refused(
      `the store in ${folder} cannot be opened: ${reasonOf(cause)}; see that its disk is sound and that all in it belongs to the user that Bluepencil runs as`,
      cause,
    )
  }
}

async function openLocked(
  folder: string,
  {
    now,
    onTrouble,
    onDoubt = (sentence) => sentence !== null && onTrouble(sentence),
    segmentSize = 1000,
    disk = realDisk,
  }: LowdbOptions,
  lock: { release(): void },
): Promise<Store> {
  const files = segmentFiles(disk, folder)
  const memory = createMemory(now)
  await disk.makeFolder(files.folder)
  await disk.syncFolder(folder)
  // A process that ended may have made a journal whose name is not on disk yet: what is appended to it could vanish whole.
  await disk.syncFolder(files.folder)
  await removeLeftovers(disk, folder)
  const state = await openState(disk, folder, onTrouble)
  const found = await recover({ disk, files, memory, segmentSize, onTrouble })
  const history = openHistory(state, memory, now())
  await compare({ found, history, memory, state, files, disk, onTrouble })
  const chain = await openChain({ disk, folder, onTrouble })
  // What was chained and is lost is not taken for what comes now.
  memory.nextSeq = Math.max(memory.nextSeq, (chain.last?.upTo ?? 0) + 1)

  const archive = createArchive(
    { disk, files, memory, onTrouble, inTurn: (work) => change(() => upkeep.inTurn(work)) },
    (segment) => {
      history.note({ lost: [[segment.first, segment.last]] })
      memory.held.forget((id) => memory.ids.get(id) === segment)
    },
  )
  const upkeep = createUpkeep({ disk, files, memory, archive, history, now, onTrouble, onDoubt })
  const committer = createCommitter({
    memory,
    // Where our clock says that it is earlier than it was, what comes now would be taken for old when it is right again.
    now: () => Math.max(now(), history.data.time.believed),
    segmentSize,
    newSegment: () => createSegment(disk, files, memory.nextSegment),
    onBegun: () => history.note(),
    onStored({ detectedMs }) {
      if (detectedMs > 0) memory.lastAlert = { at: now(), detectedAt: detectedMs }
    },
    onRest: upkeep.sealSoon,
  })
  const probe = createProbe(disk, folder)
  // A crash may have come between what the last change owed and its sealing.
  for (const segment of memory.segments) upkeep.sealSoon(segment)
  const changes = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  /** So that closing can wait for every change that has begun. */
  function change<T>(work: () => Promise<T>): Promise<T> {
    if (closing !== undefined) return Promise.reject(new StoreUnavailable('the store is closed'))
    const done = work()
    const end = () => changes.delete(done)
    changes.add(done)
    done.then(end, end)
    return done
  }

  async function alter(
    eventId: string,
    channel: string,
    change: ChangeOutcome,
    lease?: { lease: string | undefined; begins?: boolean },
  ): Promise<boolean> {
    const segment = memory.ids.get(eventId)
    if (segment === undefined) return false
    segment.busy += 1
    try {
      if (segment.state !== 'live') await upkeep.thaw(segment)
      const kept = segment.events.get(eventId)
      if (kept === undefined) return false
      return await committer.change({ segment, kept, channel, change, ...lease })
    } finally {
      segment.busy -= 1
      upkeep.sealSoon(segment)
    }
  }

  const neighbours = () => memory.near.reading({ archive, now, onTrouble })

  async function accept(batch: readonly NewEntry[]): Promise<Verdict[]> {
    const reading = neighbours()
    if (reading !== undefined) await reading
    return committer.accept(batch)
  }

  /** What could not be written down is not given out: it falls due again. */
  async function take(channel: string, when: Parameters<Store['lease']>[1]): Promise<DueNotification[]> {
    await neighbours()
    const begun = new Date(when.now).toISOString()
    const picked = memory.owed.take(channel, when)
    const tries = await Promise.allSettled(
      picked.map(async (owed) => {
        const { eventId, lease, interrupted } = owed
        const begin: ChangeOutcome = (outcome) =>
          outcome?.state === 'waiting'
            ? { ...outcome, begun, ...(interrupted !== undefined && { uncertain: true }) }
            : undefined
        try {
          const isHeld = await alter(eventId, channel, begin, { lease, begins: true })
          return isHeld ? [{ ...owed, later: memory.near.laterOf(eventId) }] : []
        } catch (error) {
          memory.owed.release(eventId, channel, lease)
          throw error
        }
      }),
    )
    const failed = tries.find((one) => one.status === 'rejected')
    const taken = tries.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    if (failed !== undefined && taken.length === 0) throw failed.reason
    return taken
  }

  async function retain(before: number, witnesses: Parameters<Store['retain']>[1]): Promise<number> {
    const dropped = await upkeep.retain(before, { ...witnesses, event: memory.lastAlert })
    // Also where nothing was dropped now: the process may have ended between the two.
    await chain.forgetLinks(Math.min(memory.nextSeq, ...memory.segments.map(({ first }) => first)))
    return dropped
  }

  async function close(): Promise<void> {
    await Promise.allSettled(changes)
    await committer.idle()
    await upkeep.idle()
    await chain.idle()
    await state.idle()
    for (const { journal } of memory.segments) {
      // What was refused and is on disk all the same would count at the next start.
      await journal.mend().catch(() => undefined)
      await journal.rest()
    }
    lock.release()
  }

  return {
    accept: (batch) => change(() => accept(batch)),
    lease: (channel, when) => change(() => take(channel, when)),
    nextDue: async (channel) => memory.owed.nextDue(channel),
    pending: async (channel) => memory.owed.pending(channel),
    held: async () => memory.held.list(),
    settle: (eventId, channel, outcome, lease) =>
      change(() => alter(eventId, channel, () => outcome, { lease })),
    alter: (eventId, channel, how) => change(() => alter(eventId, channel, how)),
    find: archive.find,
    list: archive.list,
    chain: { ...chain, add: (batch) => change(() => chain.add(batch)) },
    async later(eventId) {
      await neighbours()
      if (memory.near.find(eventId) !== undefined) return memory.near.laterOf(eventId)
      return laterOf(eventId, { naming: memory.naming, find: archive.find })
    },
    async changed(by) {
      await neighbours()
      return memory.near.changed(by)
    },
    backlog: async () => memory.owed.backlog(),
    retain: (before, witnesses = {}) => change(() => retain(before, witnesses)),
    horizon: async () => history.data.horizon ?? undefined,
    readState: async (key) => state.read(key),
    changeState: (key, how) => change(() => state.change(key, how)),
    // Nobody else is there: the lock keeps other processes out.
    hold: async () => ({ signal: new AbortController().signal, takenOver: false, release: () => undefined }),
    changes: () => () => undefined,
    snapshotTo: (to) =>
      change(() => upkeep.inTurn(() => takeSnapshot({ disk, folder, files, memory, state, chain }, to))),
    probe: () => change(probe),
    close() {
      closing ??= close()
      return closing
    },
  }
}

/** What is there with what was there, as far as that is remembered. */
async function compare(parts: {
  found: readonly Recovered[]
  history: History
  memory: Memory
  state: State
  files: SegmentFiles
  disk: Disk
  onTrouble(sentence: string): void
}): Promise<void> {
  const { found, history, memory, state, files, disk, onTrouble } = parts
  const missing = findMissing(found, history, files)
  for (const sentence of missing.sentences) onTrouble(sentence)
  if (state.found === 'nothing' && found.length > 0 && found.every(({ isFirst }) => !isFirst)) {
    onTrouble(stateIsMissing)
  }
  memory.nextSeq = Math.max(memory.nextSeq, history.data.last + 1)
  memory.nextSegment = Math.max(memory.nextSegment, history.data.segment + 1)
  const time = history.isKnown ? undefined : await lastSign(disk, files.folder, memory)
  if (history.isKnown && missing.lost.length === 0) return
  const { lost, gone } = history.data
  // From the start on, so that a store without it is known to have lost it. A disk that takes nothing is found out by
  // the first event.
  await history
    .save({
      lost: joined([...lost, ...missing.lost]),
      gone: joined([...gone, ...missing.gone]),
      ...(time === undefined ? {} : { time }),
    })
    .catch(() => undefined)
}

async function removeLeftovers(disk: Disk, folder: string): Promise<void> {
  for (const file of await disk.list(folder)) {
    if (file.startsWith('state.json') && leftover.test(file)) await disk.remove(join(folder, file))
  }
}
