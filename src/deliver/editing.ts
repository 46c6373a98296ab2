import type { Channel, SendResult } from '../channels/channel.ts'
import type { Entry } from '../event/event.ts'
import type { Sent } from '../event/outcome.ts'
import type { Message } from '../message/message.ts'
import { StoreUnavailable } from '../store/store.ts'
import { isStill, judgeEdit } from './edit.ts'
import type { QueueParts } from './parts.ts'
import { owedEdit } from './pending-edit.ts'
import type { ChannelSending } from './sending.ts'
import type { ThreadUpdates } from './thread-updates.ts'

/**
 * The messages of one channel that may have to read otherwise. What came about one message meanwhile is one edit: it is
 * made as the message should read then. Kept in memory alone: the next start compares what stands there again.
 */
export interface Editing {
  /** The message about this event may be owed an edit. */
  add(eventId: string): void
  /** This message was just sent: what came since it was made is not in it. */
  sent(entry: Entry, sent: Sent): Promise<void>
  /** When the next is due, milliseconds since the epoch; infinity where none is. */
  nextDue(): number
  /** Makes the first that is due. */
  turn(now: number): Promise<void>
  /** Something is to be sent: the edit that is under way is broken off, and made again later. */
  giveWay(): void
  /** The clock may have been set back. */
  noLater(now: number): void
}

/** An edit that waits, and how often it was tried. */
interface EditRetry {
  attempts: number
  dueAt: number
}

interface EditingParts {
  channel: Channel
  parts: QueueParts
  tryNow: ChannelSending['tryNow']
  /** A message was edited, and may tell of more than it did. */
  grew: ThreadUpdates['edited']
}

export function createEditing({ channel, parts, tryNow, grew }: EditingParts): Editing {
  const { store, clock, policy } = parts
  const owed = new Map<string, EditRetry>()
  let way = new AbortController()

  function add(eventId: string): void {
    if (!owed.has(eventId)) owed.set(eventId, { attempts: 0, dueAt: Number.NEGATIVE_INFINITY })
  }

  function first(): [string, EditRetry] | undefined {
    let found: [string, EditRetry] | undefined
    for (const one of owed) if (found === undefined || one[1].dueAt < found[1].dueAt) found = one
    return found
  }

  /** Another change of the message that came meanwhile has its own tries, and no earlier time. */
  function again(eventId: string, { attempts, dueAt }: EditRetry): void {
    owed.set(eventId, { attempts: owed.has(eventId) ? 0 : attempts, dueAt })
  }

  async function turn(now: number): Promise<void> {
    const [eventId, before] = first() ?? []
    if (eventId === undefined || before === undefined || before.dueAt > now) return
    owed.delete(eventId)
    way = new AbortController()
    try {
      await make(eventId, before)
    } catch (error) {
      // A store that fails comes back, and what was edited is to be on record; what cannot be put into words stays as it is.
      const attempts = error instanceof StoreUnavailable ? before.attempts : before.attempts + 1
      if (attempts < policy.editTries) again(eventId, { attempts, dueAt: now + policy.editFirstMs })
      throw error
    }
  }

  async function make(eventId: string, before: EditRetry): Promise<void> {
    const row = await store.find(eventId)
    const edit = row && (await owedEdit(row, channel.name, parts))
    if (row === undefined || edit === undefined) return
    const { sent, wanted, later } = edit
    const { result, isBrokenOff } = await tryEdit(eventId, wanted, sent)
    if (isBrokenOff && result.result === 'retry') return again(eventId, before)
    const verdict = judgeEdit({ result, sent, wanted, attempts: before.attempts, now: clock.now() }, policy)
    if ('again' in verdict) {
      again(eventId, { attempts: before.attempts + 1, dueAt: verdict.again.at })
      return parts.onEvent({
        type: 'edited',
        channel: channel.name,
        eventId,
        outcome: sent,
        again: verdict.again,
      })
    }
    const { outcome } = verdict
    const isNoted = await store.alter(eventId, channel.name, (known) =>
      isStill(known, sent) ? outcome : undefined,
    )
    if (!isNoted) return
    parts.onEvent({ type: 'edited', channel: channel.name, eventId, outcome })
    if (outcome.unedited !== undefined) parts.onEvent({ type: 'closed', eventId })
    else grew({ entry: row.entry, later, before: sent, after: outcome })
  }

  async function tryEdit(eventId: string, wanted: Message, { receipt, at, editedAt = at }: Sent) {
    const { signal: cut } = way
    const { result } = await tryNow({
      eventId,
      make: () => wanted,
      send: async (message, signal) =>
        (await channel.edit?.(message, receipt, signal, editedAt)) ?? cannotEdit,
      cut,
    })
    return { result, isBrokenOff: cut.aborted }
  }

  return {
    add,
    async sent(entry, sent) {
      if (channel.edit === undefined) return
      const outcomes = { [channel.name]: sent }
      // What cannot be compared now is compared in its turn.
      const isOwed = await owedEdit({ entry, outcomes }, channel.name, parts).catch(() => true)
      if (isOwed) add(entry.id)
    },
    nextDue: () => first()?.[1].dueAt ?? Number.POSITIVE_INFINITY,
    turn,
    giveWay: () => way.abort(),
    noLater(now) {
      for (const one of owed.values()) one.dueAt = Math.min(one.dueAt, now + policy.longestAskedMs)
    },
  }
}

const cannotEdit: SendResult = { result: 'permanent', why: 'messages on this channel cannot be changed' }
