import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Seen } from './accept/figures.ts'
import type { RecentChanges } from './accept/recent.ts'
import type { Alarms } from './alarms.ts'
import type { Channel } from './channels/channel.ts'
import { openChannels } from './channels/registry.ts'
import { tierOf } from './client/bucket.ts'
import { type Budget, createBudget, type Ledger } from './client/budget.ts'
import { MonitorClient } from './client/client.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config/schema.ts'
import { secretsOf } from './config/secrets.ts'
import { deliveryUrl, wanted } from './config/wanted.ts'
import { settleRemoved } from './deliver/removed.ts'
import type { AlertEvent } from './event/event.ts'
import { type Pipeline, startPipeline } from './pipeline.ts'
import { type Poller, startPolling } from './poll/poll.ts'
import { keepSubscription, type SubscriptionKeeper } from './receive/subscription.ts'
import { type StateKey, type Store, StoreUnavailable } from './store/store.ts'
import type { Metrics } from './telemetry/metrics.ts'
import type { Redactor } from './telemetry/redact.ts'
import type { Watch } from './watch/watch.ts'

/** What stays when the configuration changes. */
export interface Ground {
  store: Store
  /** What was told in the last days: one for all configurations, so that a reload tells nothing twice. */
  recent: RecentChanges
  /** Whether the published figures show a change that the service reports. */
  seen: Seen
  clock: Clock
  log: Logger
  redactor: Redactor
  metrics: Metrics
  watch: Watch
  alarms: Alarms
  /** Where the service's budget is kept: one for all configurations, so that a reload wins no request. */
  ledger: Ledger
  out: { write(text: string): void; width: number; colour: boolean }
  onSubscription?: ((state: string) => void) | undefined
}

/** What one configuration makes: opened and ready, but nothing is sent and nobody is subscribed yet. */
export interface Prepared {
  config: Config
  channels: readonly Channel[]
  keeper: SubscriptionKeeper | undefined
  /** Begins to send. Only one configuration at a time does. */
  start(): Pipeline
  /** Begins to read the published figures; undefined where there is no service to ask. */
  poll(take: (event: AlertEvent) => Promise<'new' | 'duplicate'>): Poller | undefined
  /** Requests that may leave for the service at once; undefined where there is no service to ask. */
  budgetLeft(): Promise<number | undefined>
  /** Accounts for what belongs to channels that are no longer there. */
  forgetRemoved(): Promise<void>
  /** Says what in the configuration makes for silence. */
  speakUp(): void
  /** Closes what was opened. */
  close(): Promise<void>
}

export async function prepare(config: Config, ground: Ground): Promise<Prepared> {
  const { store, clock, log, alarms, metrics } = ground
  ground.redactor.add(secretsOf(config))
  const channels = await openChannels({ config, out: ground.out })
  const keeper = subscriptionKeeper(config, ground)
  await keeper?.ready()
  ground.redactor.add(keeper?.secrets() ?? [])
  const names = channels.map(({ name }) => name)

  return {
    config,
    channels,
    keeper,
    async forgetRemoved() {
      await settleRemoved(store, names, async ({ channel, count, newest }) => {
        const title = `${channel} is no longer configured`
        const text = `${count} notifications were owed to it and are not sent; bluepencil events shows them.`
        await ground.watch.once(`removed:${channel}`, newest, { title, text })
      })
      ground.watch.keepOnly((key) => {
        if (key === 'subscription') return keeper !== undefined
        const [figures, model] = key.split(':')
        if (figures === 'figures' && model !== undefined && !wanted(config).models.includes(model))
          return false
        if (key === 'polling' || figures === 'figures') return polls(config)
        return !key.startsWith('channel:') || names.includes(key.slice('channel:'.length))
      })
    },
    speakUp() {
      if (config.operators.length === 0) {
        log.warn('no channel is named under operators: of trouble, only this log and readyz speak')
      }
      if (keeper !== undefined || config.webhook.secrets.length > 0) {
        ground.watch.over('secret', 'Deliveries can be verified.')
      } else if (polls(config)) {
        ground.watch.over('secret', 'No delivery is expected: changes are found in the published figures.')
      } else alarms.noSecret()
    },
    start: () =>
      startPipeline({
        store,
        recent: ground.recent,
        seen: ground.seen,
        channels,
        routing: { channels: config.channels, operators: config.operators, retentionMs: config.retention },
        service: config.monitor?.name ?? 'Censorship Monitoring Service',
        clock,
        random: () => randomBytes(4).readUInt32BE() / 2 ** 32,
        onAccepted(entry, outcomes) {
          const states = Object.entries(outcomes).map(([channel, { state }]) => [channel, state] as const)
          for (const [channel, state] of states) {
            if (state === 'not_sent') metrics.notification(channel, state, 0)
          }
          const what = entry.kind === 'notice' ? entry.title : 'accepted'
          const sameAs = entry.kind === 'alert' && entry.sameAs !== null ? { sameAs: entry.sameAs } : {}
          log.info({ event: entry.id, ...sameAs, outcomes: Object.fromEntries(states) }, what)
          if (entry.kind === 'alert') metrics.change(entry)
          if (entry.kind === 'alert') alarms.accepted(entry, outcomes)
        },
        onSettled(settled) {
          const { owed, channel, outcome, result } = settled
          metrics.notification(channel, outcome.state, outcome.state === 'not_sent' ? 0 : outcome.attempts)
          const level = outcome.state === 'sent' ? 'info' : outcome.state === 'failed' ? 'error' : 'warn'
          log[level]({ event: owed.eventId, channel, result: result.result, outcome }, outcome.state)
          alarms.settled(settled)
        },
        onCompletion({ channel, owed, outcome }) {
          const isDone = outcome.state === 'sent' && outcome.incomplete === undefined
          log[isDone ? 'info' : 'warn']({ event: owed.eventId, channel, outcome }, 'completing a message')
        },
        onError({ channel, eventId, error, times }) {
          log.error({ event: eventId, channel, error, times }, 'while delivering')
          if (error instanceof StoreUnavailable) alarms.storeFails()
        },
      }),
    poll: (take) => poller(config, ground, { keeper, take }),
    budgetLeft: async () =>
      config.monitor === undefined ? undefined : await budgetOf(config.monitor, ground).left(),
    async close() {
      await Promise.all(channels.map((channel) => channel.close()))
    },
  }
}

function subscriptionKeeper(config: Config, ground: Ground): SubscriptionKeeper | undefined {
  const { monitor } = config
  const { publicUrl } = config.webhook
  if (monitor === undefined || publicUrl === undefined) return undefined
  const keeper = keepSubscription({
    client: clientFor(monitor, ground),
    publicUrl: deliveryUrl(config, publicUrl),
    wanted: wanted(config),
    configuredSecrets: config.webhook.secrets,
    state: stateOf(ground.store, 'subscription'),
    clock: ground.clock,
    onStatus(status) {
      ground.redactor.add(keeper.secrets())
      ground.log.info({ subscription: status }, 'subscription')
      ground.alarms.subscription(status)
      ground.onSubscription?.(status.state)
    },
    onError: (error) => ground.log.error({ error }, 'while keeping the subscription'),
  })
  return keeper
}

function poller(
  config: Config,
  ground: Ground,
  { keeper, take }: Pick<Prepared, 'keeper'> & { take: (event: AlertEvent) => Promise<'new' | 'duplicate'> },
): Poller | undefined {
  const { monitor, polling } = config
  if (monitor === undefined || !polls(config)) return undefined
  const { log, metrics } = ground
  return startPolling({
    ...polling,
    ...wanted(config),
    // What failed is asked for at the next look.
    client: clientFor(monitor, ground, { tries: 1 }),
    tier: tierOf(monitor.tier),
    rates: monitor.rates,
    subscription: () => keeper?.status(),
    state: stateOf(ground.store, 'polling'),
    clock: ground.clock,
    take,
    watch: ground.watch,
    onMode: ({ mode, reason }) => log.info({ mode, reason }, 'polling'),
    onLook({ outcome, found, error }) {
      metrics.looked(outcome)
      const level = outcome === 'failed' ? 'warn' : found > 0 ? 'info' : 'debug'
      log[level]({ outcome, found, ...(error === undefined ? {} : { error }) }, 'look at the figures')
    },
    onError: (error) => log.error({ error }, 'while polling'),
  })
}

function polls({ monitor, polling }: Config): boolean {
  return monitor !== undefined && polling.mode !== 'off'
}

function clientFor(
  monitor: NonNullable<Config['monitor']>,
  ground: Ground,
  more: { tries?: number } = {},
): MonitorClient {
  const { clock, redactor } = ground
  const onSecret = (secret: string) => redactor.add([secret])
  return new MonitorClient({ ...monitor, ...more, budget: budgetOf(monitor, ground), clock, onSecret })
}

function budgetOf({ tier }: NonNullable<Config['monitor']>, { clock, ledger }: Ground): Budget {
  return createBudget({ tier: tierOf(tier), share: 'service', ledger, clock })
}

export function stateOf(store: Store, key: StateKey) {
  return { read: () => store.readState(key), write: (value: unknown) => store.writeState(key, value) }
}
