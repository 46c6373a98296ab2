import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import type { Clock } from '../../platform/clock.ts'
import { dayMs, hourMs } from '../../platform/durations.ts'
import type { Webhook } from '../../service/client/endpoints/webhooks.ts'
import type { DesiredSubscription } from './plan.ts'

/** Retries of what was sent before a change are signed with the old secret, so it stays valid so long. Milliseconds. */
const graceMs = dayMs

/** Creations are counted over this long, in milliseconds. */
const creationsMs = hourMs

const texts = z.array(z.string())

const CurrentSubscription = z.object({
  id: z.string(),
  url: z.string(),
  /** Null if the service showed none and a configured one has to do. */
  secret: z.string().nullable(),
  /** What was asked for. */
  events: texts,
  models: texts,
  /** What the service said that it made; null if it did not say. */
  shown: z.object({ status: z.string().nullable(), events: texts.nullable(), models: texts.nullable() }),
})
export type CurrentSubscription = z.infer<typeof CurrentSubscription>

const Previous = z.object({
  /** The subscription that signed with it: while that one still exists, its secret stays valid. */
  id: z.string(),
  secret: z.string(),
  /** Milliseconds since the epoch. */
  until: z.number(),
})

/** What is remembered of our subscription between runs. Holds secrets. */
const SubscriptionRecord = z.object({
  /** The subscription whose secret we hold: one that we made, or whose secret the service showed. */
  current: CurrentSubscription.nullable(),
  previousSecrets: z.array(Previous),
  /** When we created those of the last hour; milliseconds since the epoch. */
  creations: z.array(z.number()),
  /**
   * True from before a creation until its result is known. After a crash or a lost answer it stays true: nobody may have
   * the secret of a subscription with our URL.
   */
  creating: z.boolean(),
})
export type SubscriptionRecord = z.infer<typeof SubscriptionRecord>

const emptyRecord: SubscriptionRecord = {
  current: null,
  previousSecrets: [],
  creations: [],
  creating: false,
}

/** What is stored of the subscription. If that cannot be read, an empty record and why. */
export function readRecord(value: unknown): { record: SubscriptionRecord; flaw?: z.ZodError } {
  if (value === undefined || value === null) return { record: emptyRecord }
  const { data, error } = SubscriptionRecord.safeParse(value)
  return error === undefined ? { record: data } : { record: emptyRecord, flaw: error }
}

/** Without what is over, and with the old secrets of subscriptions that still exist valid for the full grace. */
export function refresh(
  record: SubscriptionRecord,
  existing: ReadonlySet<string>,
  now: number,
): SubscriptionRecord {
  const previousSecrets = record.previousSecrets
    .map((one) => (existing.has(one.id) ? { ...one, until: now + graceMs } : one))
    .filter((one) => one.until > now)
  return { ...record, previousSecrets, creations: record.creations.filter((at) => at > now - creationsMs) }
}

/** With another current subscription, or none; the secret of the one before stays valid for the grace. */
export function withCurrent(
  record: SubscriptionRecord,
  current: CurrentSubscription | null,
  now: number,
): SubscriptionRecord {
  const before = record.current
  const retired =
    before === null || before.secret === null
      ? []
      : [{ id: before.id, secret: before.secret, until: now + graceMs }]
  return { ...record, current, previousSecrets: [...record.previousSecrets, ...retired], creating: false }
}

/** A subscription as it is remembered once its secret is held. */
export function asCurrent(
  { id, status, events, models }: Webhook,
  { secret, url, wanted }: { secret: string | null; url: string; wanted: DesiredSubscription },
): CurrentSubscription {
  const shown = { status, events, models }
  return { id, url, secret, events: [...wanted.events], models: [...wanted.models], shown }
}

interface SubscriptionStateParts {
  state: { read(): Promise<unknown>; change(change: (before: unknown) => unknown): Promise<void> }
  configuredSecrets: readonly string[]
  clock: Clock
  report(what: string, cause: unknown): void
}

export type SubscriptionState = ReturnType<typeof openSubscriptionState>

/** What we know of our subscription, in memory and on disk. */
export function openSubscriptionState({ state, configuredSecrets, clock, report }: SubscriptionStateParts) {
  let record = emptyRecord
  let stored = emptyRecord
  /** As it was read last. */
  let lastRead = emptyRecord
  let trusted: { secret: string; until: number }[] = []
  let loading: Promise<void> | undefined

  async function read(): Promise<void> {
    const { record: onDisk, flaw } = readRecord(await state.read())
    record = onDisk
    lastRead = onDisk
    // What cannot be read is written anew with the next change.
    if (flaw === undefined) stored = onDisk
    else report('The stored subscription cannot be read; a new subscription will replace it', flaw)
  }

  /** Resolves when it is on disk. If it rejects, nothing changed: another process may have changed it since. */
  async function save(next: SubscriptionRecord): Promise<void> {
    let isOurs = true
    await state.change((before) => {
      isOurs = isDeepStrictEqual(readRecord(before).record, lastRead)
      return isOurs ? next : undefined
    })
    if (!isOurs) {
      loading = undefined
      throw new Error('Another process has changed the stored subscription; it is read again')
    }
    record = stored = lastRead = next
  }

  /** Reads what is on disk, once. If it rejects, the next call reads again. */
  function load(): Promise<void> {
    loading ??= read().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }

  return {
    load,
    /** Another process may have written since the last read. */
    loadAgain(): Promise<void> {
      loading = undefined
      return load()
    },
    record: () => record,
    save,
    /** Takes effect at once. It is reported if it cannot be stored; the next call stores it too. */
    async update(next: SubscriptionRecord): Promise<void> {
      record = next
      if (isDeepStrictEqual(next, stored)) return
      try {
        await save(next)
      } catch (error) {
        report('The subscription could not be stored', error)
      }
    },
    /** Makes a secret valid that is not on disk yet. */
    trust(secret: string): void {
      trusted.push({ secret, until: clock.now() + graceMs })
    },
    /** Every secret that is valid now, the likeliest first. */
    secrets(): readonly string[] {
      const now = clock.now()
      trusted = trusted.filter((one) => one.until > now)
      const current = record.current?.secret
      const others = [...trusted.toReversed(), ...record.previousSecrets.filter(({ until }) => until > now)]
      return [
        ...new Set([
          ...(current === undefined || current === null ? [] : [current]),
          ...configuredSecrets,
          ...others.map(({ secret }) => secret),
        ]),
      ]
    },
  }
}
