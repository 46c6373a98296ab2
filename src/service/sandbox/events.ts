import * as z from 'zod'
import type { Clock } from '../../platform/clock.ts'
import { withExtraFields } from './answer.ts'
import { type AnnouncedChange, eventTypes, models } from './change.ts'
import type { Deliveries } from './deliveries.ts'
import type { ServiceDialect } from './dialect.ts'
import { categories } from './prompts.ts'
import { isActive, type Subscriptions, wants } from './subscriptions.ts'
import type { World } from './world.ts'

/** The published methodology that every delivery names; `.example` is reserved and leads nowhere (RFC 2606). */
const methodology = 'https://monitor.example/methodology'
const mostReported = 10_000

/**
 * An event to fire. What is missing is drawn from the world. Strings go out unchanged, even if the specification does
 * not know them: that tests how a receiver reads them.
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

/**
 * "Webhook delivery (event payload)". Documented values are examples only, since texts are not restricted: a receiver
 * must bear what the specification does not know.
 */
export const DeliveryBody = z.strictObject({
  id: described('The same for each try to deliver the event.', ['evt_5f2c9a']),
  type: described(
    "policy_change: a model's stated policy or observed rules changed. censorship_spike: a refusal rate rose sharply against its baseline.",
    [...eventTypes],
  ),
  model: z.string().meta({ examples: [...models] }),
  data: z.strictObject({
    category: described('Which refusal rate changed.', [...categories]),
    delta: described('Percentage points: a sign, a number and pp.', ['+12pp', '-3.5pp']),
    detected_at: described('ISO 8601, UTC.', ['2026-03-01T09:10:00.000Z']),
  }),
  methodology: described('Address of the published methodology.', [methodology]),
})
export type DeliveryBody = z.infer<typeof DeliveryBody>

function described(description: string, examples: string[]) {
  return z.string().describe(description).meta({ examples })
}

export interface FiredEvent {
  id: string
  /** Deliveries that this began, repeats included. */
  deliveries: number
}

interface EventsParts {
  clock: Clock
  random: (bytes: number) => Buffer
  world: World
  subscriptions: Subscriptions
  deliveries: Deliveries
  dialect: ServiceDialect
}

export type Events = ReturnType<typeof createEvents>

/** Turns changes of the world into events, and delivers these. */
export function createEvents({ clock, random, world, subscriptions, deliveries, dialect }: EventsParts) {
  /** By id, oldest first. */
  const reported = new Map<string, DeliveryBody>(
    world
      .changes()
      .map(({ id, at, ...change }) => [id, deliveryBody(id, change, new Date(at).toISOString())]),
  )

  function remember(content: DeliveryBody): void {
    const [oldest] = reported.keys()
    if (oldest !== undefined && reported.size >= mostReported) reported.delete(oldest)
    reported.set(content.id, content)
  }

  return {
    /** What the service reported in the year before the start and since, oldest first; each id once, as it was first. */
    reported: (): DeliveryBody[] => [...reported.values()],
    /**
     * Changes the world, unless the id was reported before, and delivers to every subscription that wants it. `at` is
     * when it was seen, in milliseconds since the epoch.
     */
    fire(request: FireRequest, at = clock.now()): FiredEvent {
      const id = request.id ?? `evt_${random(12).toString('hex')}`
      const change = world.foresee(request)
      const before = reported.get(id)?.data.detected_at
      const content = deliveryBody(id, change, request.detected_at ?? before ?? new Date(at).toISOString())
      if (!reported.has(id)) {
        world.happen(change, at, id)
        remember(content)
      }
      const withExtra = dialect['extra-fields'] === 'yes'
      const written = withExtra ? withExtraFields(DeliveryBody, content) : content
      const body = Buffer.from(JSON.stringify(written))
      const receivers = subscriptions.all().filter((one) => isActive(one) && wants(one, change))
      const repeat = request.repeat ?? 1
      for (const subscription of receivers) {
        for (let time = 0; time < repeat; time++) deliveries.begin(subscription, id, body)
      }
      return { id, deliveries: receivers.length * repeat }
    },
  }
}

function deliveryBody(id: string, change: AnnouncedChange, detectedAt: string): DeliveryBody {
  const { type, model, category, delta } = change
  return { id, type, model, data: { category, delta, detected_at: detectedAt }, methodology }
}
