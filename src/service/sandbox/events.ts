import * as z from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { AnnouncedChange } from './change.ts'
import type { Deliveries } from './deliveries.ts'
import type { ServiceDialect } from './dialect.ts'
import { type DeliveryBody, writeDelivery } from './shapes/delivery.ts'
import { isServed, type Subscriptions, wants } from './subscriptions.ts'
import type { World } from './world.ts'

/** The published methodology that every delivery names; `.example` is reserved and leads nowhere (RFC 2606). */
const methodology = 'https://monitor.example/methodology'
/** Events that are remembered as reported. */
const remembered = 10_000

/**
 * An event to fire. What is missing is drawn from the world. Strings go out as they are, also those that the
 * specification does not know: that is how a receiver's reading of them is tested.
 */
export const FireRequest = z.strictObject({
  type: z.string().optional(),
  model: z.string().optional(),
  category: z.string().optional(),
  /** Percentage points as a number, or as it is to be written: "+12pp". */
  delta: z.union([z.number(), z.string()]).optional(),
  id: z.string().optional(),
  detected_at: z.string().optional(),
  /** How often each subscription gets it in all: the service's own at-least-once repeats. */
  repeat: z.int().min(1).max(1_000).optional(),
})
export type FireRequest = z.infer<typeof FireRequest>

export interface FiredEvent {
  id: string
  /** Deliveries that this began, repeats included. */
  deliveries: number
}

/** Where changes of the world become events, and events deliveries. */
export class Events {
  readonly #clock: Clock
  readonly #random: (bytes: number) => Buffer
  readonly #world: World
  readonly #subscriptions: Subscriptions
  readonly #deliveries: Deliveries
  readonly #extraFields: ServiceDialect['extra-fields']
  /** By id, oldest first. */
  readonly #reported = new Map<string, DeliveryBody>()

  constructor(parts: {
    clock: Clock
    random: (bytes: number) => Buffer
    world: World
    subscriptions: Subscriptions
    deliveries: Deliveries
    dialect: ServiceDialect
  }) {
    this.#clock = parts.clock
    this.#random = parts.random
    this.#world = parts.world
    this.#subscriptions = parts.subscriptions
    this.#deliveries = parts.deliveries
    this.#extraFields = parts.dialect['extra-fields']
    for (const { id, at, ...change } of this.#world.changes()) {
      this.#reported.set(id, payload(id, change, new Date(at).toISOString()))
    }
  }

  /** What the service reported in the year before the start and since, oldest first; each id once, as it was first. */
  reported(): DeliveryBody[] {
    return [...this.#reported.values()]
  }

  /**
   * Changes the world, unless the id was reported before, and tells every subscription that wants to know. `at` is
   * when it was seen, in milliseconds since the epoch; now unless given.
   */
  fire(request: FireRequest, at = this.#clock.now()): FiredEvent {
    const id = request.id ?? `evt_${this.#random(12).toString('hex')}`
    const change = this.#world.foresee(request)
    const before = this.#reported.get(id)?.data.detected_at
    const content = payload(id, change, request.detected_at ?? before ?? new Date(at).toISOString())
    if (!this.#reported.has(id)) {
      this.#world.happen(change, at, id)
      this.#remember(content)
    }
    const body = writeDelivery(content, this.#extraFields)
    const wanting = this.#subscriptions
      .all()
      .filter((subscription) => isServed(subscription) && wants(subscription, change))
    const repeat = request.repeat ?? 1
    for (const subscription of wanting) {
      for (let time = 0; time < repeat; time++) this.#deliveries.begin(subscription, id, body)
    }
    return { id, deliveries: wanting.length * repeat }
  }

  #remember(content: DeliveryBody): void {
    const [oldest] = this.#reported.keys()
    if (oldest !== undefined && this.#reported.size >= remembered) this.#reported.delete(oldest)
    this.#reported.set(content.id, content)
  }
}

function payload(id: string, change: AnnouncedChange, detectedAt: string): DeliveryBody {
  const { type, model, category, delta } = change
  return { id, type, model, data: { category, delta, detected_at: detectedAt }, methodology }
}
