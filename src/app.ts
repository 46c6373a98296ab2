import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { type Alarms, createAlarms } from './alarms.ts'
import { openChannels } from './channels/registry.ts'
import { createMonitorClient } from './client/client.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config/schema.ts'
import { secretsOf } from './config/secrets.ts'
import { localControl } from './control/local.ts'
import { serveControl } from './control/socket.ts'
import { settleRemoved } from './deliver/removed.ts'
import { knownModels, knownTypes, type Notice } from './event/event.ts'
import { type Pipeline, startPipeline } from './pipeline.ts'
import { rememberForms } from './receive/remembered.ts'
import { keepSubscription, type SubscriptionKeeper } from './receive/subscription.ts'
import { webhook } from './receive/webhook.ts'
import { render } from './render/render.ts'
import { startServer } from './server.ts'
import { openLowdbStore } from './store/lowdb/open.ts'
import { type StateKey, type Store, StoreUnavailable } from './store/store.ts'
import { readiness } from './telemetry/health.ts'
import { createLog } from './telemetry/log.ts'
import { createMetrics } from './telemetry/metrics.ts'
import { createRedactor } from './telemetry/redact.ts'
import { startWatch } from './watch/watch.ts'

export interface World {
  clock: Clock
  /** Where log lines go. */
  writeLog(line: string): void
  /** Where console channels write. */
  out: { write(text: string): void; width: number; colour: boolean }
  /** Told when the state of the subscription changes: `active`, `missing`, … */
  onSubscription?(state: string): void
}

export interface App {
  readonly port: number
  /** Ends within about ten seconds: what is in flight is finished, what is owed goes on after the next start. */
  stop(): Promise<void>
}

/** Of the ten seconds, what deliveries in flight get. */
const stopGraceMs = 8_000
const retentionEveryMs = 60 * 60_000
/** How often we see whether the service has been away for too long. */
const lookEveryMs = 60_000
/** However often somebody asks, the disk is probed once in so many milliseconds. */
const readinessMs = 1_000

export function storeFolder(config: Config): string {
  return resolve(config.store.slice('file:'.length))
}

/** Every concrete class meets here and nowhere else. */
export async function startApp(config: Config, world: World): Promise<App> {
  const { clock } = world
  const redactor = createRedactor()
  redactor.add(secretsOf(config))
  const log = createLog(config.log, redactor, world.writeLog)
  const folder = storeFolder(config)
  const damage: string[] = []
  const store = await openLowdbStore(folder, {
    now: clock.now,
    onTrouble(sentence) {
      damage.push(sentence)
      log.error({ store: folder }, sentence)
    },
  })
  const stops: (() => Promise<unknown>)[] = [() => store.close()]
  const stop = async () => {
    for (const end of stops.splice(0).reverse())
      await end().catch((error: unknown) => log.error({ error }, 'while stopping'))
  }
  try {
    return await startParts()
  } catch (error) {
    await stop()
    throw error
  }

  async function startParts(): Promise<App> {
    const channels = await openChannels({ config, out: world.out })
    stops.push(() => Promise.all(channels.map((channel) => channel.close())))

    let pipeline: Pipeline
    let alarms: Alarms
    const watch = await startWatch({
      clock,
      state: state(store, 'troubles'),
      tell,
      onError: (error) => log.error({ error }, 'the operators could not be told'),
    })
    alarms = createAlarms(watch, clock)
    const metrics = createMetrics({
      backlog: () => store.backlog(),
      troubles: watch.troubles,
      now: clock.now,
    })

    pipeline = startPipeline({
      store,
      channels,
      routing: { channels: config.channels, operators: config.operators, retentionMs: config.retention },
      service: config.monitor?.name ?? 'Censorship Monitoring Service',
      clock,
      random: () => randomBytes(4).readUInt32BE() / 2 ** 32,
      onAccepted(entry, outcomes) {
        for (const [channel, outcome] of Object.entries(outcomes)) {
          if (outcome.state === 'not_sent') metrics.notification(channel, 'not_sent', 0)
        }
        log.info(
          { event: entry.id, outcomes: summary(outcomes) },
          entry.kind === 'notice' ? entry.title : 'accepted',
        )
        if (entry.kind === 'alert') alarms.accepted(entry, outcomes)
      },
      onSettled(settled) {
        const { owed, channel, outcome, result } = settled
        metrics.notification(channel, outcome.state, outcome.state === 'not_sent' ? 0 : outcome.attempts)
        const level = outcome.state === 'sent' ? 'info' : outcome.state === 'failed' ? 'error' : 'warn'
        log[level]({ event: owed.eventId, channel, result: result.result, outcome }, outcome.state)
        alarms.settled(settled)
      },
      onError: (channel, error) => log.error({ channel, error }, 'while delivering'),
    })
    stops.push(() => pipeline.stop(stopGraceMs))
    const removed = await settleRemoved(
      store,
      channels.map(({ name }) => name),
    )
    stops.push(() => watch.stop())
    for (const [channel, count] of removed) {
      const title = `${channel} is no longer configured`
      const text = `${count} notifications were owed to it and are not sent; bluepencil events shows them.`
      log.warn({ channel, count }, title)
      watch.happened(`removed:${channel}`, { title, text })
    }
    for (const sentence of damage)
      watch.happened('damage', { title: 'Part of the store could not be read', text: sentence })

    const keeper = subscriptionKeeper(alarms)
    const forms = await rememberForms({
      ...state(store, 'signatures'),
      onError: (error) => log.error({ error }, 'the signature form could not be remembered'),
    })
    if (keeper !== undefined) {
      stops.push(() => keeper.stop())
      await keeper.ready()
      redactor.add(keeper.secrets())
    }
    let asked: { at: number; answer: ReturnType<typeof readiness> } | undefined
    const server = await startServer({
      ...config.server,
      webhook: webhook({
        path: config.webhook.path,
        secrets: () => keeper?.secrets() ?? config.webhook.secrets,
        pinned: config.webhook.signature,
        remembered: forms.get,
        remember: forms.set,
        take: (event) => pipeline.take(event),
        clock,
        onReceived(report) {
          const { outcome, eventId, milliseconds, error } = report
          metrics.received(outcome, milliseconds)
          const level =
            outcome === 'accepted' || outcome === 'duplicate'
              ? 'info'
              : outcome === 'not_stored'
                ? 'error'
                : 'debug'
          log[level]({ event: eventId, outcome, milliseconds, error }, 'delivery')
          alarms.received(outcome)
        },
      }),
      metrics,
      ready() {
        if (asked === undefined || clock.now() - asked.at >= readinessMs) {
          const answer = readiness({
            probe: () => store.probe(),
            backlog: () => store.backlog(),
            troubles: watch.troubles,
            subscription: () => keeper?.status(),
            channels,
          })
          asked = { at: clock.now(), answer }
        }
        return asked.answer
      },
      onError: (error) => log.error({ error }, 'while answering'),
    })
    stops.push(() => server.close())

    stops.push(
      await serveControl(
        folder,
        localControl({
          store,
          channels: config.channels.map(({ name }) => name),
          running: true,
          owe: (eventId, channel) => pipeline.replay(eventId, channel),
          resting: () =>
            config.channels.flatMap(({ name }) => {
              const rest = pipeline.rest(name)
              return rest === undefined
                ? []
                : [{ channel: name, until: new Date(rest.until).toISOString(), why: rest.why }]
            }),
          close: async () => {},
        }),
      ),
    )
    keeper?.start()
    const stopping = new AbortController()
    stops.push(async () => stopping.abort())
    void every(retentionEveryMs, stopping.signal, async () => {
      const dropped = await store.retain(clock.now() - config.retention)
      if (dropped > 0) log.info({ dropped }, 'events older than the retention were dropped')
    })
    if (keeper !== undefined) {
      void every(lookEveryMs, stopping.signal, async () => alarms.subscription(keeper.status()))
    }
    log.info({ port: server.port, channels: config.channels.map(({ name }) => name), store: folder }, 'ready')
    return { port: server.port, stop }

    /** Through the store like any event; where the store takes nothing, straight to the operators. */
    async function tell(notice: Notice): Promise<void> {
      log.warn({ event: notice.id, text: notice.text }, notice.title)
      try {
        await pipeline.take(notice)
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
        const operators = channels.filter(({ name }) => config.operators.includes(name))
        const message = render(notice, { service: '', timeZone: 'UTC' })
        const attempt = {
          uncertain: false,
          since: clock.now(),
          progress: [],
          signal: AbortSignal.timeout(30_000),
        }
        await Promise.all(operators.map((channel) => channel.send(message, attempt)))
      }
    }
  }

  function subscriptionKeeper(alarms: Alarms): SubscriptionKeeper | undefined {
    const { monitor } = config
    const { publicUrl } = config.webhook
    if (monitor === undefined || publicUrl === undefined) return undefined
    const keeper = keepSubscription({
      client: createMonitorClient(monitor),
      publicUrl: deliveryUrl(config, publicUrl),
      wanted: wanted(config),
      configuredSecrets: config.webhook.secrets,
      state: state(store, 'subscription'),
      clock,
      onStatus(status) {
        redactor.add(keeper.secrets())
        log.info({ subscription: status }, 'subscription')
        world.onSubscription?.(status.state)
        alarms.subscription(status)
      },
      onError: (error) => log.error({ error }, 'while keeping the subscription'),
    })
    return keeper
  }

  async function every(milliseconds: number, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      await work().catch((error: unknown) => log.error({ error }, 'while keeping house'))
      await clock.sleep(milliseconds, signal)
    }
  }
}

/** The address that the service is told: `publicUrl` itself where it has a path, else with our own path behind it. */
export function deliveryUrl(config: Config, publicUrl: string): string {
  const hasPath = new URL(publicUrl).pathname !== '/'
  return hasPath ? publicUrl : `${publicUrl}${config.server.basePath}${config.webhook.path}`
}

/** The union of what the channels want to hear. */
export function wanted(config: Config): { events: string[]; models: string[] } {
  const union = (
    all: readonly string[],
    of: (channel: Config['channels'][number]) => string[] | undefined,
  ) => {
    const named = new Set(config.channels.flatMap((channel) => of(channel) ?? [...all]))
    return all.filter((value) => named.has(value))
  }
  return {
    events: union(knownTypes, (channel) => channel.events),
    models: union(knownModels, (channel) => channel.models),
  }
}

function state(store: Store, key: StateKey) {
  return { read: () => store.readState(key), write: (value: unknown) => store.writeState(key, value) }
}

function summary(outcomes: Record<string, { state: string }>): Record<string, string> {
  return Object.fromEntries(Object.entries(outcomes).map(([name, { state }]) => [name, state]))
}
