import type { Channel, Picture, SendResult } from '../channels/channel.ts'
import type { Entry } from '../event/event.ts'
import type { Sent } from '../event/outcome.ts'
import { minuteMs } from '../platform/durations.ts'
import type { FollowUps } from '../store/near.ts'
import { StoreUnavailable } from '../store/store.ts'
import { isSameSending, judgeEdit, pendingEditOf } from './edit.ts'
import type { QueueParts } from './parts.ts'
import type { ChannelSending } from './sending.ts'

interface BackgroundParts {
  channel: Channel
  parts: QueueParts
  handOver: ChannelSending['handOver']
  /** A picture is ready. */
  onReady: () => void
}

interface Job {
  /** Tries before the next one. */
  attempts: number
  dueAt: number
}

interface PictureJob extends Job {
  eventId: string
  sent: Sent
  picture: Picture
}

/** Alerts that joined a story's message. An edit shows them too, but is easily overlooked. */
interface ThreadUpdate extends Job {
  entry: Entry
  later: FollowUps
  sent: Sent
  /** The ids of the new alerts. */
  ids: string[]
}

/** Pictures and updates in threads are tried so often; the first and the longest wait, in milliseconds. */
const mostTries = 4
const firstWaitMs = 5_000
const longestWaitMs = minuteMs
/** While text is sent without a pause, no more pictures wait than these: they are some 70 kB each. */
const mostPictures = 10

/**
 * What is done for messages that stand in one channel, while nothing is to be sent there: edits, pictures and updates in
 * threads. The jobs are kept in memory alone. After a restart, messages are compared again and edited; pictures and updates
 * in threads are lost.
 */
export function createBackground({ channel, parts, handOver, onReady }: BackgroundParts) {
  const { store, clock, policy } = parts
  const edits = createJobs<Job>(policy.longestAskedMs, edit)
  const pictures = createJobs<PictureJob>(longestWaitMs, addPicture)
  const updates = createJobs<ThreadUpdate>(longestWaitMs, reply)
  const kinds = [edits, pictures, updates]
  /** When each story last had an update. */
  const lastUpdates = new Map<string, number>()
  let current = new AbortController()

  async function edit(eventId: string, before: Job, now: number): Promise<void> {
    try {
      await makeEdit(eventId, before)
    } catch (error) {
      // A store that fails comes back, and what was edited must be on record. What cannot be rendered stays as it is.
      const attempts = error instanceof StoreUnavailable ? before.attempts : before.attempts + 1
      if (attempts < policy.editTries) editLater(eventId, { attempts, dueAt: now + policy.editFirstMs })
      throw error
    }
  }

  /** If the message changed again meanwhile, that change has its own tries, and no earlier time. */
  function editLater(eventId: string, { attempts, dueAt }: Job): void {
    edits.waiting.set(eventId, { attempts: edits.waiting.has(eventId) ? 0 : attempts, dueAt })
  }

  function addEdit(eventId: string): void {
    if (!edits.waiting.has(eventId))
      edits.waiting.set(eventId, { attempts: 0, dueAt: Number.NEGATIVE_INFINITY })
  }

  async function makeEdit(eventId: string, before: Job): Promise<void> {
    const row = await store.find(eventId)
    const pending = row && (await pendingEditOf(row, channel.name, parts))
    if (row === undefined || pending === undefined) return
    const { sent, wanted, later } = pending
    const cut = current.signal
    const { result } = await sendJob(
      eventId,
      () => wanted,
      (message, signal) => channel.edit?.(message, sent.receipt, signal, sent.editedAt ?? sent.at),
    )
    if (cut.aborted && result.result === 'retry') return editLater(eventId, before)
    const verdict = judgeEdit({ result, sent, wanted, attempts: before.attempts, now: clock.now() }, policy)
    const edited = { type: 'edited', channel: channel.name, eventId } as const
    if ('again' in verdict) {
      editLater(eventId, { attempts: before.attempts + 1, dueAt: verdict.again.at })
      return parts.onEvent({ ...edited, outcome: sent, again: verdict.again })
    }
    const { outcome } = verdict
    const isNoted = await store.alter(eventId, channel.name, (stored) =>
      isSameSending(stored, sent) ? outcome : undefined,
    )
    if (!isNoted) return
    parts.onEvent({ ...edited, outcome })
    if (outcome.unedited !== undefined) parts.onEvent({ type: 'closed', eventId })
    else addUpdate(row.entry, later, { before: sent, after: outcome })
  }

  async function makePicture(entry: Entry, sent: Sent): Promise<void> {
    if (entry.kind !== 'alert' || channel.pictures === undefined) return
    const picture = await parts.picture?.(entry, { channel: channel.name, look: channel.pictures })
    if (picture === undefined) return
    const job = { eventId: entry.id, sent, picture, attempts: 0, dueAt: clock.now() }
    pictures.waiting.set(`${entry.id} ${sent.at}`, job)
    const [oldest] = pictures.waiting.keys()
    if (pictures.waiting.size > mostPictures && oldest !== undefined) pictures.waiting.delete(oldest)
    onReady()
  }

  async function addPicture(key: string, job: PictureJob): Promise<void> {
    const { eventId, sent, picture } = job
    if (job.attempts === 0 && !(await notePictureBegun(job))) return
    const { result } = await sendJob(
      eventId,
      () => picture,
      (made, signal) => channel.addPicture?.(made, sent.receipt, signal),
    )
    const again = nextTry(job, result)
    if (again !== undefined) return void pictures.waiting.set(key, { ...job, ...again })
    await notePicture(job, result.result === 'sent' ? {} : { why: result.why })
  }

  /** Before anything leaves: if the process ends in the middle, no second picture is added. */
  function notePictureBegun({ eventId, sent }: PictureJob): Promise<boolean> {
    return store.alter(eventId, channel.name, (stored) => {
      if (!isSameSending(stored, sent) || stored.picture !== undefined) return undefined
      return { ...stored, picture: { begun: new Date(clock.now()).toISOString(), why: cutOff } }
    })
  }

  async function notePicture({ eventId, sent, picture }: PictureJob, end: { why?: string }): Promise<void> {
    await store.alter(eventId, channel.name, (stored) => {
      if (!isSameSending(stored, sent) || stored.picture === undefined) return undefined
      const noted = { ...stored, picture: { begun: stored.picture.begun, ...end } }
      if (end.why !== undefined || stored.message === undefined) return noted
      return { ...noted, message: { ...stored.message, picture: picture.alt } }
    })
    parts.onEvent({ type: 'pictured', channel: channel.name, eventId, ...end })
  }

  /** What comes to one story within a minute is one update. */
  function addUpdate(entry: Entry, later: FollowUps, { before, after }: { before: Sent; after: Sent }): void {
    if (channel.reply === undefined) return
    const members = new Set(later.members?.map(({ alert }) => alert.id))
    const fresh = (after.alsoTells ?? []).filter(
      (id) => members.has(id) && before.alsoTells?.includes(id) !== true,
    )
    if (fresh.length === 0) return
    const waiting = updates.waiting.get(entry.id)
    const last = lastUpdates.get(entry.id) ?? Number.NEGATIVE_INFINITY
    const dueAt = waiting?.dueAt ?? last + longestWaitMs
    const ids = [...(waiting?.ids ?? []), ...fresh]
    updates.waiting.set(entry.id, { entry, later, sent: after, ids, attempts: 0, dueAt })
  }

  async function reply(id: string, job: ThreadUpdate, now: number): Promise<void> {
    lastUpdates.set(id, now)
    for (const [old, at] of lastUpdates) if (at < now - longestWaitMs) lastUpdates.delete(old)
    const { entry, later, ids, sent } = job
    const { result } = await sendJob(
      id,
      () => parts.renderFollowUp({ entry, channel: channel.name, later, ids }),
      (message, signal) => channel.reply?.(message, sent.receipt, signal),
    )
    const again = nextTry(job, result)
    if (again === undefined) return
    const since = updates.waiting.get(id)
    const all = [...new Set([...ids, ...(since?.ids ?? [])])]
    updates.waiting.set(id, { ...job, ...since, ...again, ids: all })
  }

  function sendJob<Made>(
    eventId: string,
    make: () => Made,
    send: (made: Made, signal: AbortSignal) => Promise<SendResult> | undefined,
  ) {
    const cut = current.signal
    return handOver({
      eventId,
      make,
      send: async (made, signal) => (await send(made, signal)) ?? cannot,
      cut,
    })
  }

  /** Undefined if it was done, may have been, or was tried often enough. */
  function nextTry(job: Job, result: SendResult): Job | undefined {
    const attempts = job.attempts + 1
    if (result.result !== 'retry' || result.uncertain || attempts >= mostTries) return undefined
    return { attempts, dueAt: clock.now() + Math.min(result.afterMs ?? firstWaitMs, longestWaitMs) }
  }

  return {
    /** The message about this event may have to be edited. What comes about it meanwhile is in the same edit. */
    edit: addEdit,
    /** Call this when a message was sent: makes its picture, and edits the message if a correction or act came in the meantime. */
    async sent(entry: Entry, sent: Sent) {
      if (channel.addPicture !== undefined) {
        makePicture(entry, sent).catch((error: unknown) =>
          parts.onEvent({ type: 'failed', channel: channel.name, eventId: entry.id, error }),
        )
      }
      if (channel.edit === undefined) return
      const outcomes = { [channel.name]: sent }
      // What cannot be compared now is compared in its turn.
      const isPending = await pendingEditOf({ entry, outcomes }, channel.name, parts).catch(() => true)
      if (isPending) addEdit(entry.id)
    },
    /** When the next job is due, milliseconds since the epoch; infinity if there is none. */
    nextDue: () => Math.min(...kinds.map((kind) => kind.nextDue())),
    /** Does one job that is due. */
    async turn(now: number) {
      current = new AbortController()
      await kinds.find((kind) => kind.nextDue() <= now)?.turn(now)
    },
    /** Something is to be sent: breaks off the job that is under way, which is tried again later. */
    giveWay: () => current.abort(),
    /** The clock may have been set back: no job waits longer than it was to. */
    noLater(now: number) {
      for (const kind of kinds) kind.noLater(now)
    },
  }
}

const cutOff = 'Bluepencil stopped before it was finished'
const cannot = { result: 'permanent', why: 'messages on this channel cannot be edited' } as const

/** Jobs of one kind by their keys. The first that is due is run, and waits no more. */
function createJobs<Kind extends Job>(
  longestMs: number,
  run: (key: string, job: Kind, now: number) => Promise<void>,
) {
  const waiting = new Map<string, Kind>()

  function first(): [string, Kind] | undefined {
    let earliest: [string, Kind] | undefined
    for (const entry of waiting) {
      if (earliest === undefined || entry[1].dueAt < earliest[1].dueAt) earliest = entry
    }
    return earliest
  }

  return {
    waiting,
    nextDue: () => first()?.[1].dueAt ?? Number.POSITIVE_INFINITY,
    async turn(now: number) {
      const [key, job] = first() ?? []
      if (key === undefined || job === undefined) return
      waiting.delete(key)
      await run(key, job, now)
    },
    noLater(now: number) {
      for (const job of waiting.values()) job.dueAt = Math.min(job.dueAt, now + longestMs)
    },
  }
}
