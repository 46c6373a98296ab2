import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../platform/clock.ts'
import { emptyRecord, graceMs, readRecord, type SubscriptionRecord } from './record.ts'

export interface SubscriptionStateParts {
  state: { read(): Promise<unknown>; change(change: (before: unknown) => unknown): Promise<void> }
  configuredSecrets: readonly string[]
  clock: Clock
  report(what: string, cause: unknown): void
}

/** What we know of our subscription, in memory and on disk. */
export interface SubscriptionState {
  /** Reads what is on disk, once; rejects where it cannot, and is then read again. */
  load(): Promise<void>
  /** The same, though it was read before: another may have written since. */
  loadAgain(): Promise<void>
  record(): SubscriptionRecord
  /** Resolves when it is on disk; where it rejects, nothing changed. Rejects where another process has changed it since. */
  save(next: SubscriptionRecord): Promise<void>
  /** Takes effect at once, and is reported where it cannot be stored; the next call stores it too. */
  update(next: SubscriptionRecord): Promise<void>
  /** Makes a secret valid that is not on disk yet. */
  trust(secret: string): void
  /** Every secret that is valid now, the likeliest first. */
  secrets(): readonly string[]
}

export function openBook({
  state,
  configuredSecrets,
  clock,
  report,
}: SubscriptionStateParts): SubscriptionState {
  let record = emptyRecord
  let stored = emptyRecord
  /** As it was read last, without what is not sound. */
  let known = emptyRecord
  let trusted: { secret: string; until: number }[] = []
  let loading: Promise<void> | undefined

  async function read(): Promise<void> {
    const { record: sound, flaw } = readRecord(await state.read())
    record = sound
    known = sound
    // What is not sound on disk is written anew with the next change.
    if (flaw === undefined) stored = sound
    else report(`${flaw.what}; a new subscription will take its place`, flaw.cause)
  }

  async function save(next: SubscriptionRecord): Promise<void> {
    let isOurs = true
    await state.change((before) => {
      isOurs = isDeepStrictEqual(readRecord(before).record, known)
      return isOurs ? next : undefined
    })
    if (!isOurs) {
      loading = undefined
      throw new Error('another process has changed what is known of the subscription; it is read again')
    }
    record = stored = known = next
  }

  function load(): Promise<void> {
    loading ??= read().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }

  return {
    load,
    loadAgain() {
      loading = undefined
      return load()
    },
    record: () => record,
    save,
    async update(next) {
      record = next
      if (isDeepStrictEqual(next, stored)) return
      try {
        await save(next)
      } catch (error) {
        report('What is known of the subscription could not be stored', error)
      }
    },
    trust(secret) {
      trusted.push({ secret, until: clock.now() + graceMs })
    },
    secrets() {
      const now = clock.now()
      trusted = trusted.filter((one) => one.until > now)
      const current = record.current?.secret
      const own = [...trusted.toReversed(), ...record.previousSecrets.filter((one) => one.until > now)]
      return [
        ...new Set([
          ...(current === undefined || current === null ? [] : [current]),
          ...configuredSecrets,
          ...own.map((one) => one.secret),
        ]),
      ]
    },
  }
}
