import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { AlertEvent } from '../event/event.ts'
import type { Outcome } from '../event/outcome.ts'
import type { Backlog } from '../store/store.ts'

export interface Metrics {
  received(outcome: string, milliseconds: number): void
  /** One try ended, or a channel was passed over. */
  notification(channel: string, state: Outcome['state'], attempts: number): void
  /** A message that was sent was edited, or cannot be. */
  edit(channel: string, outcome: 'edited' | 'refused'): void
  /** An event was stored that was not there before: a change, a change's confirmation by the other way, or its correction. */
  change(event: AlertEvent): void
  /** One look at the published figures ended. */
  looked(outcome: 'done' | 'failed'): void
  text(): Promise<string>
  readonly contentType: string
}

export interface MetricsSources {
  backlog(): Promise<Backlog[]>
  troubles(): readonly { key: string }[]
  /** `lastSuccess` is ISO 8601. */
  polling(): { mode: string; lastSuccess: string | null } | undefined
  /** Requests that may leave for the service at once. */
  budgetLeft(): Promise<number | undefined>
  now(): number
  /** Whether this process is shown too: its memory, its event loop. */
  showsProcess: boolean
}

const modes = ['full', 'slow', 'off']

/** Prometheus metrics. Labels come from the configuration and from closed sets, never from an event. */
export function createMetrics(sources: MetricsSources): Metrics {
  const registry = new Registry()
  if (sources.showsProcess) collectDefaultMetrics({ register: registry })
  const registers = [registry]

  const received = new Counter({
    name: 'bluepencil_deliveries_received_total',
    help: 'Webhook deliveries received, by outcome.',
    labelNames: ['outcome'],
    registers,
  })
  const accept = new Histogram({
    name: 'bluepencil_accept_seconds',
    help: 'From the first byte of a delivery to the answer, for those that were accepted or known.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers,
  })
  const notifications = new Counter({
    name: 'bluepencil_notifications_total',
    help: 'Notifications by channel and outcome; waiting counts tries that will be repeated.',
    labelNames: ['channel', 'outcome'],
    registers,
  })
  const edits = new Counter({
    name: 'bluepencil_edits_total',
    help: 'Edits of messages that were sent, by channel and outcome: edited or refused, which is not tried again.',
    labelNames: ['channel', 'outcome'],
    registers,
  })
  const retries = new Counter({
    name: 'bluepencil_retries_total',
    help: 'Tries after the first, by channel.',
    labelNames: ['channel'],
    registers,
  })
  /** While the store cannot be read, what it has is not known: the others are shown all the same. */
  const backlog = () => sources.backlog().catch(() => [])
  new Gauge({
    name: 'bluepencil_queue_waiting',
    help: 'Notifications that are pending, by channel.',
    labelNames: ['channel'],
    registers,
    async collect() {
      this.reset()
      for (const { channel, waiting } of await backlog()) this.set({ channel }, waiting)
    },
  })
  new Gauge({
    name: 'bluepencil_queue_age_seconds',
    help: 'Age of the oldest event that is pending, by channel.',
    labelNames: ['channel'],
    registers,
    async collect() {
      this.reset()
      for (const { channel, oldest } of await backlog()) {
        this.set({ channel }, Math.max(0, sources.now() - Date.parse(oldest)) / 1000)
      }
    },
  })
  new Gauge({
    name: 'bluepencil_trouble',
    help: '1 for everything that is wrong now.',
    labelNames: ['key'],
    registers,
    collect() {
      this.reset()
      for (const { key } of sources.troubles()) this.set({ key }, 1)
    },
  })

  const changes = new Counter({
    name: 'bluepencil_changes_total',
    help: 'Changes by the way in which they came first, webhook or poll. Each is counted once.',
    labelNames: ['by'],
    registers,
  })
  const confirmations = new Counter({
    name: 'bluepencil_changes_confirmed_total',
    help: 'Changes that then came by the other way too, by that way, webhook or poll.',
    labelNames: ['by'],
    registers,
  })
  const looks = new Counter({
    name: 'bluepencil_polling_looks_total',
    help: 'Looks at the published figures, by outcome.',
    labelNames: ['outcome'],
    registers,
  })
  new Gauge({
    name: 'bluepencil_polling_mode',
    help: '1 for the way in which the published figures are read now: full, slow or off.',
    labelNames: ['mode'],
    registers,
    collect() {
      const now = sources.polling()?.mode ?? 'off'
      for (const mode of modes) this.set({ mode }, Number(mode === now))
    },
  })
  new Gauge({
    name: 'bluepencil_polling_last_success_timestamp_seconds',
    help: 'When the published figures were last read; absent where they never were.',
    registers,
    collect() {
      const last = sources.polling()?.lastSuccess ?? null
      this.remove()
      if (last !== null) this.set(Date.parse(last) / 1000)
    },
  })
  new Gauge({
    name: 'bluepencil_budget_left',
    help: 'Requests that may leave for the monitoring service at once, of the share that is not kept for people.',
    registers,
    async collect() {
      const left = await sources.budgetLeft()
      this.remove()
      if (left !== undefined) this.set(left)
    },
  })

  return {
    change({ source, sameAs, revises, confirms }) {
      if (revises !== undefined || confirms !== undefined) return
      if (sameAs === null) changes.inc({ by: source })
      else confirmations.inc({ by: source })
    },
    looked: (outcome) => looks.inc({ outcome }),
    received(outcome, milliseconds) {
      received.inc({ outcome })
      if (outcome === 'accepted' || outcome === 'duplicate') accept.observe(milliseconds / 1000)
    },
    notification(channel, state, attempts) {
      notifications.inc({ channel, outcome: state })
      if (attempts > 1) retries.inc({ channel })
    },
    edit: (channel, outcome) => edits.inc({ channel, outcome }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
