import type { SendResult } from '../channels/channel.ts'
import type { Outcome, Sent, Waiting } from '../event/outcome.ts'
import type { Store } from '../store/store.ts'
import { askedFor, type RetryPolicy } from './policy.ts'

/**
 * Owes the channel that its message about `eventId` is completed with what `other` adds, an event of the same change.
 * False where there is nothing to complete: it was not sent there, tells of both already, or could not be completed.
 */
export async function oweCompletion(
  store: Pick<Store, 'alter'>,
  { eventId, other, channel, now }: { eventId: string; other: string; channel: string; now: number },
): Promise<boolean> {
  return store.alter(eventId, channel, (sent) => {
    if (sent?.state !== 'sent' || sent.incomplete !== undefined || sent.alsoTells?.includes(other)) {
      return undefined
    }
    return toComplete(sent, other, now)
  })
}

/** It stands in the channel, and is owed what `other` adds. */
export function toComplete(sent: Sent, other: string, now: number): Waiting {
  return {
    state: 'waiting',
    dueAt: new Date(now).toISOString(),
    why: `sent; to be completed with ${other}`,
    attempts: 0,
    completes: sent,
  }
}

export interface CompletionTry {
  result: SendResult
  before: Waiting
  /** What stands in the channel. */
  sent: Sent
  alsoTells: readonly string[]
  now: number
}

/** What follows from one try to complete a message. It was sent and stays so, whatever comes of this. Pure. */
export function judgeCompletion(one: CompletionTry, policy: RetryPolicy): Outcome {
  const { result, before, sent } = one
  if (result.result === 'sent') return { ...sent, alsoTells: [...one.alsoTells] }
  const attempts = before.attempts + 1
  if (result.result !== 'retry' || attempts >= policy.completeTries)
    return { ...sent, incomplete: result.why }
  const asked = askedFor(result.afterMs, policy) ?? 0
  const own = Math.min(policy.completeFirstMs * 2 ** (attempts - 1), policy.completeLongestMs)
  const dueAt = new Date(one.now + Math.max(asked, own)).toISOString()
  return { ...before, attempts, dueAt, why: `sent, and not completed yet: ${result.why}` }
}
