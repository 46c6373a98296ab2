import * as z from 'zod'
import type { EndOfSilence, Person, Scope, Silence, StandingSilence } from '../../event/act.ts'
import { dayMs } from '../../platform/durations.ts'
import type { StoredValue } from '../../store/store.ts'

/** The longest that a silence may last: it always ends. */
export const longestSilenceMs = 30 * dayMs
/** For so long one that has ended is remembered, so that what it held is reported as held by it. */
const rememberedMs = dayMs
/** And so many in any case. */
const mostRemembered = 100

/** A silence, and whether somebody ended it before its time. */
export interface KnownSilence extends StandingSilence {
  /** When it began; ISO 8601, UTC. */
  from: string
  /** Where somebody ended it: when, and who. */
  ended?: { at: string; by: Person }
}

export const StoredPerson = z.object({
  name: z.string(),
  id: z.string().exactOptional(),
  via: z.enum(['slack', 'discord', 'email', 'command', 'console']),
}) satisfies z.ZodType<Person>

export const StoredScope = z.object({
  model: z.string().exactOptional(),
  category: z.string().exactOptional(),
  channel: z.string().exactOptional(),
}) satisfies z.ZodType<Scope>

const StoredSilences = z.array(
  z.object({
    id: z.string(),
    by: StoredPerson,
    scope: StoredScope,
    why: z.string(),
    from: z.string(),
    until: z.string(),
    ended: z.object({ at: z.string(), by: StoredPerson }).exactOptional(),
  }),
) satisfies z.ZodType<KnownSilence[]>

/** The silences that are in force, kept in the store for all processes. */
export interface Silences {
  /** Those in force at `now`, milliseconds since the epoch. */
  inForce(now: number): KnownSilence[]
  find(id: string): KnownSilence | undefined
  /** In force from now on, or no longer; a repeat changes nothing. Resolves when that is on disk. */
  apply(act: Silence | EndOfSilence): Promise<void>
  /** Another process changed them. */
  refresh(): Promise<void>
  /** Calls it after each change, here or in another process; in place of the listener before. */
  onChange(listener: () => void): void
}

export async function recallSilences({ state }: { state: StoredValue }): Promise<Silences> {
  let silences = silencesFrom(await state.read())
  let written = 0
  let changed = () => {}
  return {
    inForce: (now) => silences.filter((one) => isInForce(one, now)),
    find: (id) => silences.find((one) => one.id === id),
    async apply(act) {
      let after = silences
      await state.change((before) => {
        after = withAct(silencesFrom(before), act)
        return after
      })
      // Not before it is on disk: nobody would know why alerts are held.
      silences = after
      written += 1
      changed()
    },
    async refresh() {
      const before = written
      const next = silencesFrom(await state.read())
      // What was written meanwhile is newer than what was read.
      if (written === before) silences = next
      changed()
    },
    onChange(listener) {
      changed = listener
    },
  }
}

/** What was stored; nothing if it cannot be read. */
function silencesFrom(stored: unknown): KnownSilence[] {
  return StoredSilences.catch([]).parse(stored)
}

/**
 * One that somebody ended has ended, also if our clock is set back to a time before that. One that lasts longer than any may was
 * asked for while our clock was ahead.
 */
function isInForce({ until, ended }: KnownSilence, now: number): boolean {
  const end = Date.parse(until)
  return ended === undefined && end > now && end <= now + longestSilenceMs
}

/**
 * Those that would have ended long ago are forgotten; one that was ended early may hold something still. The newest are kept in any
 * case: our clock may be ahead. Pure.
 */
function withAct(known: readonly KnownSilence[], act: Silence | EndOfSilence): KnownSilence[] {
  const now = Date.parse(act.receivedAt)
  const recent = known.filter(
    ({ until }, index) => Date.parse(until) > now - rememberedMs || index >= known.length - mostRemembered,
  )
  if (act.does === 'end-silence') {
    const ended = { at: act.receivedAt, by: act.by }
    return recent.map((one) => (one.id === act.about && isInForce(one, now) ? { ...one, ended } : one))
  }
  if (recent.some(({ id }) => id === act.id)) return recent
  const { id, by, scope, why, until, receivedAt } = act
  return [...recent, { id, by, scope, why, from: receivedAt, until }]
}
