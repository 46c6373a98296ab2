import { hash } from 'node:crypto'
import type { Channel } from '../channels/channel.ts'
import { openChannels } from '../channels/registry.ts'
import { desiredAlerts, isSetUp, pipelineSettings, polls, unsubscribeAddress } from '../config/derived.ts'
import type { Config } from '../config/schema.ts'
import { secretsOf } from '../config/secrets.ts'
import { settleRemoved } from '../deliver/removed.ts'
import type { AlertEvent, Entry } from '../event/event.ts'
import type { Outcome } from '../event/outcome.ts'
import { resolveReached } from '../operators/reports.ts'
import { createPipeline, type PipelineEvent } from '../pipeline.ts'
import { StoreUnavailable } from '../store/store.ts'
import type { ServiceClients } from './service-clients.ts'
import type { SharedServices } from './services.ts'

/** What one configuration makes: opened and ready, but nothing is sent and nobody is subscribed yet. */
export type OpenedConfig = Awaited<ReturnType<typeof openConfig>>

/** Rejects if a configuration cannot be used; nothing stays open then. */
export async function openConfig(config: Config, services: SharedServices) {
  services.redactor.add(secretsOf(config))
  const mail = { readers: services.readers, unsubscribeAt: unsubscribeAddress(config).url }
  const channels = await openChannels({ config, out: services.out, mail })
  try {
    const clients = await openServiceClients(config, services)
    await clients.keeper?.ready()
    services.redactor.add(clients.keeper?.secrets() ?? [])
    return openedConfigOf(config, services, { channels, clients })
  } catch (error) {
    await closeAll(channels).catch((left: unknown) => services.log.error({ error: left }, 'while closing'))
    throw error
  }
}

/**
 * Processes compare these to see if they run the same configuration. The hash is of the channels' names, and of whether there is a console, an
 * address of ours and polling, and of the models that channels want.
 */
function configHashOf(config: Config, names: readonly string[]): string {
  const { console, webhook } = config
  const has = [
    console !== undefined,
    webhook.publicUrl !== undefined,
    polls(config),
    desiredAlerts(config).models,
  ]
  return hash('sha256', JSON.stringify([names.toSorted(), has])).slice(0, 32)
}

function describe(entry: Exclude<Entry, AlertEvent>): string {
  switch (entry.kind) {
    case 'notice':
      return entry.title
    case 'act':
      return `${entry.by.name}: ${entry.does}`
    case 'digest':
      return 'a digest'
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
      case 'accepted':
        return observeAccepted(event, services)
      case 'id-reused':
        return alarms.reused(event)
      case 'lane-acquired':
        resolveReached(event.channel, services).catch((error: unknown) =>
          log.error({ channel: event.channel, error }, 'earlier deliveries could not be read'),
        )
        return
      case 'settled': {
        const { notification, channel, outcome, result } = event
        metrics.notification(channel, outcome.state, 'attempts' in outcome ? outcome.attempts : 0)
        const level = outcome.state === 'sent' ? 'info' : outcome.state === 'failed' ? 'error' : 'warn'
        log[level]({ event: notification.eventId, channel, result: result.result, outcome }, outcome.state)
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

function observeAccepted(
  { entry, outcomes }: Extract<PipelineEvent, { type: 'accepted' }>,
  { log, deliveryLines, alarms, metrics }: SharedServices,
): void {
  for (const [channel, { state }] of Object.entries(outcomes)) {
    if (state !== 'waiting') metrics.notification(channel, state, 0)
  }
  const states = () =>
    Object.fromEntries(Object.entries(outcomes).map(([channel, { state }]) => [channel, state]))
  if (entry.kind !== 'alert') {
    log.info({ event: entry.id, outcomes: states() }, describe(entry))
    return
  }
  const line = () => ({
    event: entry.id,
    ...(entry.sameAs !== null && { sameAs: entry.sameAs }),
    outcomes: states(),
  })
  if (entry.source === 'webhook') deliveryLines.write('accepted', 'accepted', line)
  else log.info(line(), 'accepted')
  metrics.change(entry)
  alarms.accepted(entry, outcomes)
}

function openedConfigOf(
  config: Config,
  services: SharedServices,
  { channels, clients }: { channels: readonly Channel[]; clients: ServiceClients },
) {
  const { store, clock, log, alarms, incidents } = services
  const { keeper } = clients
  const names = channels.map(({ name }) => name)

  /** Whether the thing that an incident is about is still configured. */
  function isConfigured(key: string): boolean {
    const [kind, ...rest] = key.split(':')
    const name = rest.join(':')
    if (key === 'subscription') return keeper !== undefined
    if (key === 'console') return config.console !== undefined
    if (key === 'polling') return polls(config)
    if (kind === 'figures')
      return polls(config) && (name === '' || desiredAlerts(config).models.includes(name))
    return kind !== 'channel' || names.includes(name)
  }

  return {
    ...clients,
    config,
    channels,
    /** Stores an event that could not be processed, so that it is not lost. Rejects with the error if that fails too. */
    async storeUnprocessed(event: AlertEvent, error: unknown): Promise<'new' | 'duplicate'> {
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
    /** Settles what is pending for removed channels. False if other processes may still have them: ask again in a minute. */
    async settleRemovedIfAlone(): Promise<boolean> {
      // A channel that cannot be read now may come back.
      if (services.browser.trouble() !== undefined) return false
      if (!(await services.rollout.maySettleRemoved(configHashOf(config, names)))) return false
      incidents.keepOnly(isConfigured)
      // If nothing can be written, operators would be alerted now and by the next process again.
      await store.probe()
      await settleRemoved(store, names, async ({ channel, count, newest }) => {
        const title = `${channel} is no longer configured`
        const text = `Its pending messages (${count}) will not be sent; bluepencil events shows them.`
        await incidents.once(`removed:${channel}`, newest, { title, text })
      })
      return true
    },
    /** Reports settings that keep alerts or notices from everybody. */
    warnOfSilence(): void {
      if (!isSetUp(config)) return
      if (config.operators.length === 0) {
        log.warn('no channel is named under operators: problems are reported only in this log and by readyz')
      }
      if (keeper !== undefined || config.webhook.secrets.length > 0) {
        incidents.resolves('secret', 'Incoming webhooks can be verified')
      } else if (polls(config)) {
        incidents.resolves('secret', 'No webhooks are expected: changes are found in the published figures')
      } else if (config.monitor === undefined && services.browser.current().made.users !== undefined) {
        log.warn('the monitoring service is not named yet; the console shows what is still open')
      } else alarms.noSecret()
    },
    /** Routes by this configuration. It sends only after `send`. */
    pipeline: () =>
      createPipeline({
        store,
        horizon: () => store.horizon(),
        silences: (now) => services.silences.inForce(now),
        isOpen: incidents.isOpen,
        seen: clients.seen,
        channels,
        ...pipelineSettings(config),
        picture: clients.picture,
        clock,
        random: services.random,
        onEvent: observe(services),
      }),
    close: () => closeAll(channels),
  }
}

/** What asks the service is loaded only if there is one to ask: it is some megabytes. */
async function openServiceClients(config: Config, services: SharedServices): Promise<ServiceClients> {
  const { monitor } = config
  if (monitor !== undefined) {
    const { openServiceClients } = await import('./service-clients.ts')
    return openServiceClients(config, monitor, services)
  }
  const none = () => Promise.reject(new Error('no monitoring service is configured'))
  return {
    keeper: undefined,
    poll: () => undefined,
    picture: undefined,
    seen: () => ({ state: 'not-read' }),
    figures: none,
    storedFigures: none,
    modelFigures: none,
    peopleService: undefined,
    budgetLeft: async () => undefined,
  }
}
