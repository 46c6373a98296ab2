import type { Config } from '../config/schema.ts'
import { deliveryUrl, polls, wanted } from '../config/wanted.ts'
import type { PublishedSeries } from '../console/parts.ts'
import type { CompareWithFigures } from '../decide/accept/figures.ts'
import type { Pictures } from '../deliver/parts.ts'
import type { AlertEvent } from '../event/event.ts'
import { seenIn } from '../intake/poll/levels.ts'
import type { DeliveryLog } from '../intake/poll/mode.ts'
import { type Poller, startPolling } from '../intake/poll/poll.ts'
import { pollingStateFrom } from '../intake/poll/state.ts'
import { keepSubscription, type SubscriptionKeeper } from '../intake/subscribe/keeper.ts'
import { pngOf } from '../message/chart/png.ts'
import { notOftener } from '../platform/clock.ts'
import { hourMs, minuteMs } from '../platform/durations.ts'
import { type Archiving, createArchiving } from '../record/figures/archiving.ts'
import { createFigureReader, type ReadFigures } from '../record/figures/reader.ts'
import { type Budget, createBudget, rateOf, tierOf } from '../service/client/budget.ts'
import { MonitorClient } from '../service/client/client.ts'
import { stateOf } from '../store/state-of.ts'
import { createModelFigures, type ReadModelFigures } from './model-figures.ts'
import { createFigures, createPictures } from './pictures.ts'
import type { SharedServices } from './shared-services.ts'

type Monitor = NonNullable<Config['monitor']>
/** The service as people's questions are put to it, within the budget that is kept for people. */
export interface PeopleService {
  client: MonitorClient
  /** From what is stored, if it is known. */
  history: ReadFigures
  /** `monitor.rates`. */
  rates: Monitor['rates']
}

/** A picture's history is as new as its alert; within a minute one serves all. It is done without if it does not come in time. */
const forPictures = { freshMs: minuteMs, patienceMs: 3_000 }
/** Five models in four categories, without polling: 80 requests a day, a twentieth of what the smallest tier has for the service. */
const forModels = { freshMs: 6 * hourMs, patienceMs: 20_000, isInTurn: true }
/** A person waits for it. */
const forPeople = { freshMs: 15 * minuteMs, patienceMs: 20_000 }

/** What another process has read meanwhile comes with an edit. */
const storedMs = 10_000

type AcceptEvent = (event: AlertEvent) => Promise<'new' | 'duplicate'>

/** What one configuration makes of the monitoring service: what asks it, and what it asks. */
export interface ServiceClients {
  /** Undefined where there is no public address to deliver to. */
  keeper: SubscriptionKeeper | undefined
  /** Begins to read the published figures; undefined where there is no service to ask, or polling is off. */
  poll(take: AcceptEvent, heard: DeliveryLog): Poller | undefined
  /** What the published figures show of a change that the service reports. */
  seen: CompareWithFigures
  /** Undefined where no channel asks for pictures, or there is nobody to ask for a history. */
  picture: Pictures | undefined
  /** The published figures about an alert. Rejects with why there are none. */
  figures(alert: AlertEvent): Promise<PublishedSeries>
  /** The published figures of a model, for people who compare models: read rarely. Rejects with why there are none. */
  modelFigures: ReadModelFigures
  /** Undefined if no service is configured. */
  peopleService: PeopleService | undefined
  /** Requests that may leave for the service at once; undefined where there is no service to ask. */
  budgetLeft(): Promise<number | undefined>
}

export function openMonitored(config: Config, monitor: Monitor, services: SharedServices): ServiceClients {
  const asking = { monitor, services, archiving: archivingOf(config, monitor, services) }
  const keeper = subscriptionKeeper(config, asking)
  const { draw, ...figures } = picturing(asking)
  const client = clientFor(asking, { share: 'people' })
  return {
    keeper,
    poll: (take, heard) => poller(config, asking, { keeper, take, heard }),
    seen: polls(config) ? seenBy(services) : () => ({ state: 'not-read' }),
    picture: config.channels.some(hasPictures) ? draw : undefined,
    ...figures,
    peopleService: { client, history: readerOf(asking, client, forPeople), rates: monitor.rates },
    budgetLeft: () => budgetOf(monitor, services).left(),
  }
}

/** What every client of the service is made of: whatever it answers about figures is kept. */
interface ServiceClientParts {
  monitor: Monitor
  services: SharedServices
  archiving: Archiving
}

function archivingOf(config: Config, monitor: Monitor, { store, clock, log }: SharedServices): Archiving {
  return createArchiving({
    figures: store.figures,
    service: serviceOf(monitor),
    rates: monitor.rates,
    retention: config.figures.retention,
    clock,
    onError: (error) => log.warn({ error }, 'published figures could not be stored'),
  })
}

/** Figures of a sandbox, or of another service, are not those of this one. */
function serviceOf({ baseUrl }: Monitor): string {
  const { host, pathname } = new URL(baseUrl)
  return `${host}${pathname.replace(/\/+$/, '')}`
}

function readerOf(
  { monitor, services, archiving }: ServiceClientParts,
  client: MonitorClient,
  how: Parameters<typeof createFigureReader>[1] & { maySpend?: () => Promise<boolean> },
): ReadFigures {
  const { store, clock } = services
  const { maySpend: may = async () => true, ...rest } = how
  const parts = { client, figures: store.figures, archiving, service: serviceOf(monitor), clock }
  return createFigureReader({ ...parts, maySpend: may }, rest)
}

function subscriptionKeeper(config: Config, asking: ServiceClientParts): SubscriptionKeeper | undefined {
  const { monitor, services } = asking
  const { publicUrl } = config.webhook
  if (publicUrl === undefined) return undefined
  const keeper = keepSubscription({
    client: clientFor(asking),
    publicUrl: deliveryUrl(config, publicUrl),
    wanted: wanted(config),
    configuredSecrets: config.webhook.secrets,
    tier: tierOf(monitor.tier),
    state: stateOf(services.store, 'subscription'),
    clock: services.clock,
    onStatus(status) {
      services.redactor.add(keeper.secrets())
      services.log.info({ subscription: status }, 'subscription')
      services.alarms.subscription(status)
      services.onSubscription?.(status.state)
    },
    onError: (error) => services.log.error({ error }, 'while keeping the subscription'),
  })
  return keeper
}

function poller(
  config: Config,
  asking: ServiceClientParts,
  { keeper, take, heard }: Pick<ServiceClients, 'keeper'> & { take: AcceptEvent; heard: DeliveryLog },
): Poller | undefined {
  if (!polls(config)) return undefined
  const { monitor, services } = asking
  const { log, metrics } = services
  return startPolling({
    ...config.polling,
    ...wanted(config),
    // What failed is asked for at the next look.
    client: clientFor(asking, { tries: 1 }),
    tier: tierOf(monitor.tier),
    rates: monitor.rates,
    maySpend: maySpend(monitor, services),
    subscription: () => keeper?.status(),
    state: stateOf(services.store, 'polling'),
    clock: services.clock,
    delivered: heard.all,
    accept: take,
    incidents: services.incidents,
    onMode: ({ mode, reason }) => log.info({ mode, reason }, 'polling'),
    onRound({ outcome, found, error }) {
      metrics.looked(outcome)
      const level = outcome === 'failed' ? 'warn' : found > 0 ? 'info' : 'debug'
      log[level]({ outcome, found, ...(error === undefined ? {} : { error }) }, 'poll of the figures')
    },
    onError: (error) => log.error({ error }, 'while polling'),
  })
}

/** Another process may poll, or none yet after a start: what was last read of the figures is in the store. */
function seenBy({ store, clock, seen }: SharedServices): CompareWithFigures {
  const stored = notOftener(storedMs, clock, async () =>
    pollingStateFrom(await store.readState('polling'), clock.now()),
  )
  return (step) => {
    const shown = seen(step)
    if (shown.state !== 'unknown') return shown
    return stored().then(
      (state) => seenIn(state, step),
      () => shown,
    )
  }
}

function hasPictures(channel: Config['channels'][number]): boolean {
  return 'pictures' in channel && channel.pictures === true
}

function picturing(
  asking: ServiceClientParts,
): Pick<ServiceClients, 'figures' | 'modelFigures'> & { draw: Pictures } {
  const { monitor, services } = asking
  const { clock, log } = services
  const client = clientFor(asking, { tries: 1 })
  const how = { maySpend: maySpend(monitor, services) }
  const parts = {
    read: readerOf(asking, client, { ...forPictures, ...how }),
    rates: monitor.rates,
    clock,
  }
  const figures = createFigures(parts)
  const onNone = (event: string, why: string) => log.debug({ event, why }, 'no picture')
  const modelFigures = createModelFigures({
    ...parts,
    read: readerOf(asking, client, { ...forModels, ...how }),
  })
  return { figures, modelFigures, draw: createPictures({ ...parts, draw: pngOf, onNone }, figures) }
}

/** What polling and the subscription need next is never short of a picture, or of a reading before it is due. */
function maySpend(monitor: Monitor, services: SharedServices): () => Promise<boolean> {
  const budget = budgetOf(monitor, services)
  const { burst } = rateOf(tierOf(monitor.tier), 'service')
  return async () => (await budget.left()) > burst / 2
}

function clientFor(
  { monitor, services, archiving }: ServiceClientParts,
  { share, ...more }: { tries?: number; share?: 'service' | 'people' } = {},
): MonitorClient {
  const { clock, random, redactor, serviceTime, tokens } = services
  const onSecret = (secret: string) => redactor.add([secret])
  return new MonitorClient({
    ...monitor,
    ...more,
    budget: budgetOf(monitor, services, share),
    clock,
    random,
    onSecret,
    tokens,
    onDate: serviceTime.heard,
    onSuccess: services.contact.noted,
    onFigures: archiving.answered,
  })
}

function budgetOf(
  { tier }: Monitor,
  { clock, budgetStore, peopleBudgetStore }: SharedServices,
  share: 'service' | 'people' = 'service',
): Budget {
  const kept = share === 'people' ? peopleBudgetStore : budgetStore
  return createBudget({ tier: tierOf(tier), share, budgetStore: kept, clock })
}
