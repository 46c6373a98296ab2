import { eventTypes, models } from './change.ts'
import type { ServiceDialect } from './dialect.ts'
import { notFound } from './errors.ts'
import type { Key } from './keys.ts'
import { secretPrefix } from './signature.ts'

export interface SandboxSubscription {
  id: string
  /** Name of the key that it was created with; nobody else sees it. */
  owner: string
  url: string
  events: readonly string[]
  models: readonly string[]
  secret: string
  /** `active` is the only value that the specification gives, and the only one that receives deliveries. `pending` and `paused` are the dialect's. */
  status: string
  /** Aborts when the subscription is removed. */
  removed: AbortController
}

/** The subscriptions of all keys. They last as long as the sandbox runs. */
export class Subscriptions {
  readonly #byId = new Map<string, SandboxSubscription>()
  readonly #random: (bytes: number) => Buffer
  readonly #first: 'active' | 'pending'

  constructor(random: (bytes: number) => Buffer, furtherStates: ServiceDialect['further-states']) {
    this.#random = random
    this.#first = furtherStates === 'yes' ? 'pending' : 'active'
  }

  create(
    key: Key,
    wanted: { url: string; events: readonly string[]; models: readonly string[] },
  ): SandboxSubscription {
    const subscription = {
      ...wanted,
      id: `wh_${this.#random(12).toString('hex')}`,
      owner: key.name,
      // 24 bytes make base64 without padding; that it decodes is what the dialect `base64-decoded` needs.
      secret: secretPrefix + this.#random(24).toString('base64'),
      status: this.#first,
      removed: new AbortController(),
    }
    this.#byId.set(subscription.id, subscription)
    return subscription
  }

  /** Those of the key, oldest first. One that is pending is active from now on: its owner has looked. */
  ownedBy(key: Key): SandboxSubscription[] {
    return this.all()
      .filter((subscription) => subscription.owner === key.name)
      .map(lookedAt)
  }

  /** As `ownedBy`. Throws the same 404 for one that is another's as for one that is not there. */
  get(id: string, key: Key): SandboxSubscription {
    const subscription = this.#byId.get(id)
    if (subscription?.owner === key.name) return lookedAt(subscription)
    throw notFound(`There is no subscription ${id}.`)
  }

  find(id: string): SandboxSubscription | undefined {
    return this.#byId.get(id)
  }

  all(): SandboxSubscription[] {
    return [...this.#byId.values()]
  }

  remove(subscription: SandboxSubscription): void {
    this.#byId.delete(subscription.id)
    subscription.removed.abort()
  }
}

function lookedAt(subscription: SandboxSubscription): SandboxSubscription {
  if (subscription.status === 'pending') subscription.status = 'active'
  return subscription
}

/** Whether it receives what is delivered now. */
export function isServed(subscription: SandboxSubscription): boolean {
  return subscription.status === 'active' && !subscription.removed.signal.aborted
}

/**
 * Whether it wants an event. One that names all there is wants everything, what the specification does not
 * know included: that is how a new model or event type would reach a subscriber.
 */
export function wants(subscription: SandboxSubscription, event: { type: string; model: string }): boolean {
  return (
    includes(subscription.events, event.type, eventTypes) &&
    includes(subscription.models, event.model, models)
  )
}

function includes(chosen: readonly string[], value: string, known: readonly string[]): boolean {
  if (chosen.includes(value)) return true
  return !known.includes(value) && known.every((name) => chosen.includes(name))
}
