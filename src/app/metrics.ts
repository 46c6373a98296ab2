import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { AlertEvent } from '../event/event.ts'
import type { Outcome } from '../event/outcome.ts'
import type { Backlog } from '../store/store.ts'

interface MetricsSources {
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
export function createMetrics(sources: MetricsSources) {
  const registry = new Registry()
  if (sources.showsProcess) collectDefaultMetrics({ register: registry })
  const registers = [registry]

  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name: `bluepencil_${name}`, help, labelNames, registers })
  const gauge = (name: string, help: string, label: string[], collect: (own: Gauge) => unknown) =>
    new Gauge({
      name: `bluepencil_${name}`,
      help,
      labelNames: label,
      registers,
      async collect() {
        if (label.length > 0) this.reset()
        else this.remove()
        await collect(this)
      },
    })

  const received = counter('deliveries_received_total', 'Webhook deliveries received, by outcome.', 'outcome')
  const accept = new Histogram({
    name: 'bluepencil_accept_seconds',
    help: 'From the first byte of a delivery to the answer, for those that were accepted or known.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers,
  })
  const notifications = counter(
    'notifications_total',
    'Notifications by channel and outcome; waiting counts attempts that will be retried.',
    'channel',
    'outcome',
  )
  const edits = counter(
    'edits_total',
    'Edits of sent messages, by channel and outcome: edited, or refused and not retried.',
    'channel',
    'outcome',
  )
  const retries = counter('retries_total', 'Retries, by channel.', 'channel')
  /** While the store cannot be read, the other metrics are shown all the same. */
  const backlog = () => sources.backlog().catch(() => [])
  gauge('queue_waiting', 'Notifications that are pending, by channel.', ['channel'], async (own) => {
    for (const { channel, waiting } of await backlog()) own.set({ channel }, waiting)
  })
  gauge(
    'queue_age_seconds',
    'Age of the oldest event that is pending, by channel.',
    ['channel'],
    async (own) => {
      for (const { channel, oldest } of await backlog()) {
        own.set({ channel }, Math.max(0, sources.now() - Date.parse(oldest)) / 1000)
      }
    },
  )
  gauge('trouble', '1 for each current problem.', ['key'], (own) => {
    for (const { key } of sources.troubles()) own.set({ key }, 1)
  })
  const changes = counter(
    'changes_total',
    'Changes by how they came first, webhook or poll. Each is counted once.',
    'by',
  )
  const confirmations = counter(
    'changes_confirmed_total',
    'Changes that later came the other way too, by that second way: webhook or poll.',
    'by',
  )
  const polls = counter('polling_looks_total', 'Polls of the published figures, by outcome.', 'outcome')
  gauge(
    'polling_mode',
    '1 for how the published figures are read now: full, slow or off.',
    ['mode'],
    (own) => {
      const now = sources.polling()?.mode ?? 'off'
      for (const mode of modes) own.set({ mode }, Number(mode === now))
    },
  )
  gauge(
    'polling_last_success_timestamp_seconds',
    'When the published figures were last read; absent if they never were.',
    [],
    (own) => {
      const last = sources.polling()?.lastSuccess ?? null
      if (last !== null) own.set(Date.parse(last) / 1000)
    },
  )
  gauge(
    'budget_left',
    'Requests to the monitoring service that polling may make now, without the share kept for people.',
    [],
    async (own) => {
      const left = await sources.budgetLeft()
      if (left !== undefined) own.set(left)
    },
  )

  return {
    /** An event was stored that was not there before: a change, a change's confirmation by the other way, or its correction. */
    change({ source, sameAs, revises, confirms }: AlertEvent): void {
      if (revises !== undefined || confirms !== undefined) return
      if (sameAs === null) changes.inc({ by: source })
      else confirmations.inc({ by: source })
    },
    /** One poll of the published figures ended. */
    polled: (outcome: 'done' | 'failed') => polls.inc({ outcome }),
    received(outcome: string, milliseconds: number): void {
      received.inc({ outcome })
      if (outcome === 'accepted' || outcome === 'duplicate') accept.observe(milliseconds / 1000)
    },
    /** A try ended, or a channel was not sent the entry. */
    notification(channel: string, state: Outcome['state'], attempts: number): void {
      notifications.inc({ channel, outcome: state })
      if (attempts > 1) retries.inc({ channel })
    },
    /** A message that was sent was edited, or cannot be. */
    edit: (channel: string, outcome: 'edited' | 'refused') => edits.inc({ channel, outcome }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
