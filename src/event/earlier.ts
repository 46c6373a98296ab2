import type { Outcome, PreviousAttempt, ResendHistory } from './outcome.ts'

/** Somebody who replays a thousand times must not make the store grow with each. */
const mostKept = 20

/** What an outcome says of the time before it was sent again; carried along with whatever becomes of it. */
export function beforeOf({ earlier, earlierDropped }: ResendHistory): ResendHistory {
  return {
    ...(earlier !== undefined && { earlier }),
    ...(earlierDropped !== undefined && { earlierDropped }),
  }
}

/** The same with how it stood when it was sent again, `replacedAt` (ISO 8601, UTC). What was never tried adds nothing. */
export function addedTo(outcome: Outcome | undefined, replacedAt: string): ResendHistory {
  if (outcome === undefined || isUntried(outcome)) return beforeOf(outcome ?? {})
  const { earlier = [], earlierDropped = 0, ...stood } = outcome
  const all: PreviousAttempt[] = [...earlier, { ...stood, replacedAt }]
  const dropped = earlierDropped + Math.max(0, all.length - mostKept)
  return { earlier: all.slice(-mostKept), ...(dropped > 0 && { earlierDropped: dropped }) }
}

function isUntried(outcome: Outcome): boolean {
  return outcome.state === 'waiting' && outcome.attempts === 0 && outcome.begun === undefined
}
