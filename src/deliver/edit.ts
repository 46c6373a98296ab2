import type { SendResult } from '../channels/channel.ts'
import type { Outcome, Sent } from '../event/outcome.ts'
import type { Message } from '../message/message.ts'
import { askedFor, type RetryPolicy } from './policy.ts'
import { asRepeat } from './repeat.ts'
import { messageAsSent, withEdit } from './sent-message.ts'
import { shownHash } from './shows.ts'

/** Whether what stands in the channel is to be edited to read as `wanted`. Pure. */
export function isOwed(sent: Sent, wanted: Message): boolean {
  const shows = shownHash(wanted)
  if (sent.shows === shows || (sent.shows === undefined && tellsOfAll(sent, wanted))) return false
  const { unedited } = sent
  return unedited === undefined || (unedited.shows !== undefined && unedited.shows !== shows)
}

/** For what was stored before there were hashes, and what an earlier try may have sent: by the events that it tells of. */
function tellsOfAll({ alsoTells: told = [] }: Sent, { alsoTells = [] }: Message): boolean {
  return alsoTells.every((id) => told.includes(id))
}

/** What was sent as a possible repeat stays marked as one. */
export function markedAs({ unanswered = 0 }: Sent, message: Message): Message {
  return unanswered > 0 ? asRepeat(message) : message
}

/** Whether it is the same message that was sent, whatever was noted of it since. */
export function isStill(outcome: Outcome | undefined, { at, receipt }: Sent): outcome is Sent {
  return outcome?.state === 'sent' && outcome.at === at && outcome.receipt.text === receipt.text
}

/** What was just sent, with what stands there now. Which of several tries' messages that is, is not always known. */
export function asShown(
  sent: Sent,
  message: Message,
  { uncertain, canEdit, cannotVerifyDelivery, picture }: EditCircumstances,
): Sent {
  // Where nobody can be asked, what was sent last has arrived too.
  const unsure = uncertain && !cannotVerifyDelivery
  const kept = messageAsSent(message, { ...(picture && { picture }), ...(unsure && { unsure }) })
  const noted = { ...sent, message: kept }
  if (!canEdit) return { ...noted, ...tellsOf(message) }
  return uncertain ? noted : { ...noted, shows: shownHash(message), ...tellsOf(message) }
}

interface EditCircumstances {
  uncertain: boolean
  canEdit: boolean
  cannotVerifyDelivery: boolean
  /** What a picture inside it shows, in words. */
  picture: string | undefined
}

function tellsOf({ alsoTells = [] }: Message): Pick<Sent, 'alsoTells'> {
  return alsoTells.length === 0 ? {} : { alsoTells }
}

export interface EditTry {
  result: SendResult
  sent: Sent
  wanted: Message
  /** Tries before this one. */
  attempts: number
  now: number
}

/**
 * What follows from one try to edit a message: what is noted of it, or when it is tried again, milliseconds since the
 * epoch. It was sent and stays so, whatever comes of this. Pure.
 */
export function judgeEdit(
  one: EditTry,
  policy: RetryPolicy,
): { outcome: Sent } | { again: { why: string; at: number } } {
  const { result, sent, wanted, now } = one
  const shows = shownHash(wanted)
  const attempts = one.attempts + 1
  if (result.result === 'sent') {
    const { unedited: _, ...rest } = sent
    const editedAt = new Date(now).toISOString()
    const edits = withEdit(sent, wanted, editedAt)
    return { outcome: { ...rest, shows, ...tellsOf(wanted), ...edits, editedAt } }
  }
  if (result.result !== 'retry' || attempts >= policy.editTries) {
    return { outcome: { ...sent, unedited: { why: result.why, shows } } }
  }
  const asked = askedFor(result.afterMs, policy) ?? 0
  const own = Math.min(policy.editFirstMs * 2 ** (attempts - 1), policy.editLongestMs)
  return { again: { why: result.why, at: now + Math.max(asked, own) } }
}
