import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import type { Outcome } from '../../event/outcome.ts'

type Outcomes = Record<string, Outcome>

/**
 * Channels of one language are sent the same words, some 700 bytes of them. An event keeps those once: in memory as one
 * object, in a sealed file with the first of the channels, whose name the others have in their place.
 */
export function shared(outcomes: Outcomes, channel: string, outcome: Outcome): Outcome {
  if (outcome.state !== 'sent' || outcome.message === undefined) return outcome
  for (const [name, other] of Object.entries(outcomes)) {
    if (name === channel || other.state !== 'sent' || other.message === undefined) continue
    if (isDeepStrictEqual(other.message, outcome.message)) return { ...outcome, message: other.message }
  }
  return outcome
}

/** The same for all of them, where they have just been read. */
export function allShared(outcomes: Outcomes): Outcomes {
  for (const [channel, outcome] of Object.entries(outcomes)) {
    outcomes[channel] = shared(outcomes, channel, outcome)
  }
  return outcomes
}

/** As a sealed file has them. */
export function packed(outcomes: Outcomes): Record<string, unknown> {
  const first = new Map<unknown, string>()
  const entries = Object.entries(outcomes).map(([channel, outcome]) => {
    const message = outcome.state === 'sent' ? outcome.message : undefined
    const name = message && first.get(message)
    if (message !== undefined && name === undefined) first.set(message, channel)
    return [channel, name === undefined ? outcome : { ...outcome, message: name }]
  })
  return Object.fromEntries(entries)
}

const Packed = z.record(z.string(), z.looseObject({ message: z.unknown().exactOptional() }))

/** What was packed, before it is parsed. A name that leads nowhere is no message. */
export function unpacked(read: unknown): unknown {
  const { success, data: outcomes } = Packed.safeParse(read)
  if (!success) return read
  const entries = Object.entries(outcomes).map(([channel, outcome]) => {
    const { message: name, ...rest } = outcome
    if (typeof name !== 'string') return [channel, outcome]
    const message = Object.hasOwn(outcomes, name) ? outcomes[name]?.message : undefined
    return [channel, typeof message === 'object' ? { ...rest, message } : rest]
  })
  return Object.fromEntries(entries)
}
