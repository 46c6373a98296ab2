import { deliveryUrl, desiredAlerts, polls } from '../config/derived.ts'
import type { Config } from '../config/schema.ts'
import type { PublishedSeries } from '../console/parts.ts'
import type { CompareWithFigures } from '../decide/accept/accept.ts'
import type { Pictures } from '../deliver/parts.ts'
import type { AlertEvent } from '../event/event.ts'
import { seenIn } from '../intake/poll/levels.ts'
import type { DeliveryLog } from '../intake/poll/mode.ts'
import { type Poller, startPolling } from '../intake/poll/poll.ts'
import { type PollingState, pollingStateFrom } from '../intake/poll/state.ts'
import { keepSubscription, type SubscriptionKeeper } from '../intake/subscribe/keeper.ts'
import { pngOf } from '../message/chart/png.ts'
import { minuteMs } from '../platform/durations.ts'
import { createArchiving } from '../record/figures/archiving.ts'
import { createFigureReader, createStoredReader, type ReadFigures } from '../record/figures/reader.ts'
import { createRecent } from '../record/figures/recent.ts'
import { rateOf, tierOf } from '../service/client/bucket.ts'
import { createBudget } from '../service/client/budget.ts'
import { MonitorClient } from '../service/client/client.ts'
import { stateOf } from '../store/store.ts'
import type { PeopleService } from './environment.ts'
import {
  createAlertFigures,
  createModelFigures,
  createPictures,
  createStoredFigures,
  type ReadModelFigures,
} from './figures.ts'
import type { SharedServices } from './services.ts'

/** A picture's history is as new as its alert; within a minute one serves all. If it does not come in time, there is no picture. */
const forPictures = { freshMs: minuteMs, patienceMs: 3_000 }
/** A person waits for it. */
const forPeople = { freshMs: 15 * minuteMs, patienceMs: 20_000 }

/** What another process has read meanwhile comes with an edit. */
const storedState = { most: 1, forMs: 10_000, failedForMs: 10_000 }

/** What one configuration makes of the monitoring service: what asks it, and what it asks. */
export interface ServiceClients {
  /** Undefined if there is no public address to deliver to. */
  keeper: SubscriptionKeeper | undefined
  /** Begins to read the published figures; undefined if there is no service to ask, or polling is off. */
  poll(
    accept: (event: AlertEvent) => Promise<'new' | 'duplicate'>,
    deliveryLog: DeliveryLog,
  ): Poller | undefined
  /** What the published figures show of a change that the service reports. */
  seen: CompareWithFigures
  /** Undefined if no channel asks for pictures, or there is nobody to ask for a history. */
  picture: Pictures | undefined
  /** The published figures about an alert. Rejects with why there are none. */
  figures(alert: AlertEvent): Promise<PublishedSeries>
  /** The published figures of a model, as far as they are stored. Rejects with why there are none. */
  storedFigures: ReadModelFigures
  /** The same with the steps that they show. */
  modelFigures: ReadModelFigures
  /** Undefined if no service is configured. */
  peopleService: PeopleService | undefined
  /** Requests that may leave for the service at once; undefined if there is no service to ask. */
  budgetLeft(): Promise<number | undefined>
}

export function openServiceClients(
  config: Config,
  monitor: NonNullable<Config['monitor']>,
  services: SharedServices,
): ServiceClients {
  const { store, clock, log, metrics, redactor, alarms } = services
  const { rates } = monitor
  const tier = tierOf(monitor.tier)
  const service = serviceOf(monitor)
  const budget = createBudget({ tier, share: 'service', budgetStore: services.budgetStore, clock })
  const archiving = createArchiving({
    figures: store.figures,
    service,
    rates,
    retention: config.figures.retention,
    clock,
    onError: (error) => log.warn({ error }, 'published figures could not be stored'),
  })

  function createClient({ tries, isForPeople = false }: { tries?: number; isForPeople?: boolean }) {
    const { random, serviceTime, tokens, contact, peopleBudgetStore } = services
    return new MonitorClient({
      ...monitor,
      ...(tries !== undefined && { tries }),
      budget: isForPeople
        ? createBudget({ tier, share: 'people', budgetStore: peopleBudgetStore, clock })
        : budget,
      clock,
      random,
      onSecret: (secret) => redactor.add([secret]),
      tokens,
      onDate: serviceTime.heard,
      onSuccess: contact.noted,
      onFigures: archiving.answered,
    })
  }

  /** A picture, or a reading before it is due, leaves what polling and the subscription need next. */
  async function maySpend(): Promise<boolean> {
    return (await budget.left()) > rateOf(tier, 'service').burst / 2
  }

  function createReader(
    client: MonitorClient,
    how: Parameters<typeof createFigureReader>[1],
    mayRead: () => Promise<boolean> = maySpend,
  ): ReadFigures {
    const parts = { client, figures: store.figures, archiving, service, clock, maySpend: mayRead }
    return createFigureReader(parts, how)
  }

  function createKeeper(): SubscriptionKeeper | undefined {
    const { publicUrl } = config.webhook
    if (publicUrl === undefined) return undefined
    const keeper = keepSubscription({
      client: createClient({}),
      publicUrl: deliveryUrl(config, publicUrl),
      wanted: desiredAlerts(config),
      configuredSecrets: config.webhook.secrets,
      tier,
      state: stateOf(store, 'subscription'),
      clock,
      onStatus(status) {
        redactor.add(keeper.secrets())
        log.info({ subscription: status }, 'subscription')
        alarms.subscription(status)
        services.onSubscription?.(status.state)
      },
      onError: (error) => log.error({ error }, 'while keeping the subscription'),
    })
    return keeper
  }

  const poll: ServiceClients['poll'] = (accept, deliveryLog) => {
    if (!polls(config)) return undefined
    return startPolling({
      ...config.polling,
      ...desiredAlerts(config),
      // The next poll asks again for what failed.
      client: createClient({ tries: 1 }),
      tier,
      rates,
      maySpend,
      subscription: () => keeper?.status(),
      state: stateOf(store, 'polling'),
      clock,
      delivered: deliveryLog.all,
      accept,
      incidents: services.incidents,
      onMode: ({ mode, reason }) => log.info({ mode, reason }, 'polling'),
      onRound({ outcome, found, error }) {
        metrics.polled(outcome)
        const level = outcome === 'failed' ? 'warn' : found > 0 ? 'info' : 'debug'
        log[level]({ outcome, found, ...(error === undefined ? {} : { error }) }, 'poll of the figures')
      },
      onError: (error) => log.error({ error }, 'while polling'),
    })
  }

  const keeper = createKeeper()
  const client = createClient({ tries: 1 })
  const peopleClient = createClient({ isForPeople: true })
  const figures = createAlertFigures({ read: createReader(client, forPictures), rates, clock })
  const readStored = createStoredReader({ figures: store.figures, service, clock })
  const storedFigures = createStoredFigures({ read: readStored, rates, clock })
  const onNone = (event: string, why: string) => log.debug({ event, why }, 'no picture')
  return {
    keeper,
    poll,
    seen: polls(config) ? compareWithPolled(services) : () => ({ state: 'not-read' }),
    picture: config.channels.some(hasPictures)
      ? createPictures({ figures, clock, draw: pngOf, onNone })
      : undefined,
    figures,
    storedFigures,
    modelFigures: createModelFigures(storedFigures, { clock }),
    peopleService: {
      client: peopleClient,
      history: createReader(peopleClient, forPeople, async () => true),
      rates,
    },
    budgetLeft: budget.left,
  }
}

/** Figures of a sandbox, or of another service, are not those of this one. */
function serviceOf({ baseUrl }: NonNullable<Config['monitor']>): string {
  const { host, pathname } = new URL(baseUrl)
  return `${host}${pathname.replace(/\/+$/, '')}`
}

/** By what this process polled. If another process polls, or none yet after a start, by what is in the store. */
function compareWithPolled({ store, clock, running }: SharedServices): CompareWithFigures {
  const recent = createRecent<Promise<PollingState>>(storedState, clock)
  const readStored = async () => pollingStateFrom(await store.readState('polling'), clock.now())
  return (step) => {
    const shown = running.current?.polling()?.seen(step) ?? { state: 'unknown' }
    if (shown.state !== 'unknown') return shown
    return recent('polling', readStored).then(
      (state) => seenIn(state, step),
      () => shown,
    )
  }
}

function hasPictures(channel: Config['channels'][number]): boolean {
  return 'pictures' in channel && channel.pictures === true
}
