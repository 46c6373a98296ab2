import { createHash } from 'node:crypto'
import type { Channel } from '../channels/channel.ts'
import { openChannels } from '../channels/registry.ts'
import { configuredParts } from '../config/configured-parts.ts'
import { unsubscribeAddress } from '../config/public-address.ts'
import type { Config } from '../config/schema.ts'
import { secretsOf } from '../config/secrets.ts'
import { polls, wanted } from '../config/wanted.ts'
import { settleRemoved } from '../deliver/removed.ts'
import type { AlertEvent, Entry } from '../event/event.ts'
import type { Outcome } from '../event/outcome.ts'
import { resolveReached } from '../operators/reached.ts'
import { createPipeline, type Pipeline, type PipelineEvent } from '../pipeline.ts'
import { counted } from '../platform/text.ts'
import { StoreUnavailable } from '../store/store.ts'
import type { ServiceClients } from './service-clients.ts'
import type { SharedServices } from './shared-services.ts'

/** What one configuration makes: opened and ready, but nothing is sent and nobody is subscribed yet. */
export interface OpenedConfig extends ServiceClients {
  config: Config
  channels: readonly Channel[]
  /** Routes by this configuration, and sends when it is told to. */
  pipeline(): Pipeline
  /** Stores an event that could not be processed, so that it is not lost; rejects with the error where that fails too. */
  keep(event: AlertEvent, error: unknown): Promise<'new' | 'duplicate'>
  /** Accounts for what belongs to channels that are no longer there. False where other processes may still have them: to be asked again in a minute. */
  forgetRemoved(): Promise<boolean>
  /** Says what in the configuration makes for silence. */
  speakUp(): void
  /** Closes what was opened. */
  close(): Promise<void>
}

/** Rejects where a configuration cannot be used; nothing stays open then. */
export async function openRuntime(config: Config, services: SharedServices): Promise<OpenedConfig> {
  services.redactor.add(secretsOf(config))
  const mail = { readers: services.readers, unsubscribeAt: unsubscribeAddress(config).url }
  const channels = await openChannels({ config, out: services.out, mail })
  try {
    const monitored = await openMonitored(config, services)
    await monitored.keeper?.ready()
    return runtimeOf(config, services, { channels, monitored })
  } catch (error) {
    await closeAll(channels).catch((left: unknown) => services.log.error({ error: left }, 'while closing'))
    throw error
  }
}

/** By what two configurations differ in what they write off. */
function markOf(config: Config, names: readonly string[]): string {
  const { console, webhook } = config
  const has = [console !== undefined, webhook.publicUrl !== undefined, polls(config), wanted(config).models]
  return createHash('sha256')
    .update(JSON.stringify([names.toSorted(), has]))
    .digest('hex')
    .slice(0, 32)
}

function acceptedAs(entry: Entry): string {
  switch (entry.kind) {
    case 'notice':
      return entry.title
    case 'act':
      return `${entry.by.name}: ${entry.does}`
    case 'digest':
      return 'a digest'
    case 'alert':
      return 'accepted'
  }
}

/** One that fails does not keep another open. */
async function closeAll(channels: readonly Channel[]): Promise<void> {
  const closed = await Promise.allSettled(channels.map(async (channel) => channel.close()))
  const errors = closed.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  if (errors.length > 0) throw new AggregateError(errors, 'channels could not be closed')
}

/** Logs, counts and reports what happens in the pipeline. */
function observe(services: SharedServices): (event: PipelineEvent) => void {
  const { log, alarms, metrics } = services
  return (event) => {
    switch (event.type) {
      case 'accepted': {
        const { entry, outcomes } = event
        const states = Object.entries(outcomes).map(([channel, { state }]) => [channel, state] as const)
        for (const [channel, state] of states) {
          if (state !== 'waiting') metrics.notification(channel, state, 0)
        }
        const sameAs = entry.kind === 'alert' && entry.sameAs !== null ? { sameAs: entry.sameAs } : {}
        log.info({ event: entry.id, ...sameAs, outcomes: Object.fromEntries(states) }, acceptedAs(entry))
        if (entry.kind === 'alert') metrics.change(entry)
        if (entry.kind === 'alert') alarms.accepted(entry, outcomes)
        return
      }
      case 'id-reused':
        return alarms.reused(event)
      case 'lane-acquired':
        resolveReached(event.channel, services).catch((error: unknown) =>
          log.error({ channel: event.channel, error }, 'what got through before could not be read'),
        )
        return
      case 'settled': {
        const { owed, channel, outcome, result } = event
        metrics.notification(channel, outcome.state, 'attempts' in outcome ? outcome.attempts : 0)
        const level = outcome.state === 'sent' ? 'info' : outcome.state === 'failed' ? 'error' : 'warn'
        log[level]({ event: owed.eventId, channel, result: result.result, outcome }, outcome.state)
        return alarms.settled(event)
      }
      case 'edited': {
        const { channel, eventId, outcome, again } = event
        if (again !== undefined) return log.warn({ event: eventId, channel, again }, 'not edited yet')
        const isDone = outcome.unedited === undefined
        metrics.edit(channel, isDone ? 'edited' : 'refused')
        const text = isDone ? 'edited' : 'not edited'
        return log[isDone ? 'info' : 'warn']({ event: eventId, channel, outcome }, text)
      }
      case 'pictured': {
        const { channel, eventId, why } = event
        if (why === undefined) log.info({ event: eventId, channel }, 'picture added')
        else log.warn({ event: eventId, channel, why }, 'no picture added')
        return
      }
      case 'slow':
        log.warn({ event: event.eventId, channel: event.channel, milliseconds: event.forMs }, 'no answer yet')
        return alarms.slow(event)
      case 'failed': {
        const { channel, eventId, error, times } = event
        log.error({ event: eventId, channel, error, times }, 'while delivering')
        if (error instanceof StoreUnavailable) alarms.storeFails()
      }
    }
  }
}

function runtimeOf(
  config: Config,
  services: SharedServices,
  { channels, monitored }: { channels: Channel[]; monitored: ServiceClients },
): OpenedConfig {
  const { store, clock, log, alarms } = services
  const { keeper } = monitored
  services.redactor.add(keeper?.secrets() ?? [])
  const names = channels.map(({ name }) => name)

  return {
    ...monitored,
    config,
    channels,
    async keep(event, error) {
      const failed: Outcome = {
        state: 'failed',
        at: new Date(clock.now()).toISOString(),
        attempts: 0,
        why: 'it could not be processed; see the log',
      }
      const outcomes = Object.fromEntries(names.map((name) => [name, failed]))
      const [verdict] = await store.accept([{ entry: event, outcomes }])
      if (verdict !== 'new' && verdict !== 'duplicate') throw error
      log.error({ event: event.id, verdict, error }, 'an event could not be processed')
      if (verdict === 'new') alarms.unprocessed(event)
      return verdict
    },
    async forgetRemoved() {
      if (!(await services.generations.mayWriteOff(markOf(config, names)))) return false
      services.incidents.keepOnly((key) => {
        if (key === 'subscription') return keeper !== undefined
        if (key === 'console') return config.console !== undefined
        const [figures, model] = key.split(':')
        if (figures === 'figures' && model !== undefined && !wanted(config).models.includes(model))
          return false
        if (key === 'polling' || figures === 'figures') return polls(config)
        return !key.startsWith('channel:') || names.includes(key.slice('channel:'.length))
      })
      // Where nothing can be written, operators would be alerted now and by the next process again.
      await store.probe()
      await settleRemoved(store, names, async ({ channel, count, newest }) => {
        const title = `${channel} is no longer configured`
        const text = `${counted(count, 'notification')} that waited for it will not be sent; bluepencil events shows them.`
        await services.incidents.once(`removed:${channel}`, newest, { title, text })
      })
      return true
    },
    speakUp() {
      if (config.operators.length === 0) {
        log.warn('no channel is named under operators: of trouble, only this log and readyz speak')
      }
      if (keeper !== undefined || config.webhook.secrets.length > 0) {
        services.incidents.resolves('secret', 'Incoming webhooks can be verified')
      } else if (polls(config)) {
        services.incidents.resolves(
          'secret',
          'No webhooks are expected: changes are found in the published figures',
        )
      } else alarms.noSecret()
    },
    pipeline: () =>
      createPipeline({
        store,
        horizon: () => store.horizon(),
        silences: (now) => services.silences.inForce(now),
        isOpen: ({ key, since }) =>
          services.incidents.current().some((one) => one.key === key && one.since === since),
        seen: monitored.seen,
        channels,
        ...configuredParts(config),
        picture: monitored.picture,
        clock,
        random: services.random,
        onEvent: observe(services),
      }),
    close: () => closeAll(channels),
  }
}

/** What asks the service is loaded only where there is one to ask: it is some megabytes. */
async function openMonitored(config: Config, services: SharedServices): Promise<ServiceClients> {
  const { monitor } = config
  if (monitor === undefined) {
    const none = () => Promise.reject(new Error('no monitoring service is configured'))
    return {
      keeper: undefined,
      poll: () => undefined,
      picture: undefined,
      seen: () => ({ state: 'not-read' }),
      figures: none,
      modelFigures: none,
      peopleService: undefined,
      budgetLeft: async () => undefined,
    }
  }
  const { openMonitored } = await import('./service-clients.ts')
  return openMonitored(config, monitor, services)
}
