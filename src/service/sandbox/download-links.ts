import type { Clock } from '../../platform/clock.ts'
import { hourMs } from '../../platform/durations.ts'

/** Links that are remembered; the oldest end. */
const remembered = 1_000

/** Addresses under which a data set can be had without a key, for an hour each. */
export class DownloadLinks {
  readonly #clock: Clock
  readonly #random: (bytes: number) => Buffer
  readonly #byToken = new Map<string, { datasetId: string; expiresAt: number }>()

  constructor(clock: Clock, random: (bytes: number) => Buffer) {
    this.#clock = clock
    this.#random = random
  }

  /** `path` is relative to the origin; `expiresAt` is milliseconds since the epoch. */
  make(datasetId: string): { path: string; expiresAt: number } {
    const token = this.#random(16).toString('hex')
    const expiresAt = this.#clock.now() + hourMs
    this.#byToken.set(token, { datasetId, expiresAt })
    const [oldest] = this.#byToken.keys()
    if (oldest !== undefined && this.#byToken.size > remembered) this.#byToken.delete(oldest)
    return { path: `/files/${token}`, expiresAt }
  }

  /** The id of the data set; undefined where the link is not known or has ended. */
  find(token: string): string | undefined {
    const link = this.#byToken.get(token)
    return link !== undefined && link.expiresAt > this.#clock.now() ? link.datasetId : undefined
  }
}
