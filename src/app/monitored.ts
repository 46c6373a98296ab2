import { pngOf } from '../chart/png.ts'
import { rateOf, tierOf } from '../client/budget/bucket.ts'
import { type Budget, createBudget } from '../client/budget/budget.ts'
import { MonitorClient } from '../client/client.ts'
import type { Config } from '../config/schema.ts'
import { deliveryUrl, polls, wanted } from '../config/wanted.ts'
import type { Pictures } from '../deliver/parts.ts'
import type { AlertEvent } from '../event/event.ts'
import type { Heard } from '../poll/heard.ts'
import { type Poller, startPolling } from '../poll/poll.ts'
import { stateOf } from '../store/state-of.ts'
import { keepSubscription, type SubscriptionKeeper } from '../subscribe/keeper.ts'
import { createKnownHistories } from './histories.ts'
import { createModelFigures, type ReadModelFigures } from './model-figures.ts'
import { createFigures, createPictures, type Figures, type FiguresParts } from './pictures.ts'
import type { SharedServices } from './shared-services.ts'

type Monitor = NonNullable<Config['monitor']>
/** The service as people's questions are put to it, within the budget that is kept for people. */
export interface PeopleService {
  client: MonitorClient
  /** `monitor.rates`. */
  rates: Monitor['rates']
}

type Take = (event: AlertEvent) => Promise<'new' | 'duplicate'>

/** What one configuration makes of the monitoring service: what asks it, and what it asks. */
export interface Monitored {
  /** Undefined where there is no public address to deliver to. */
  keeper: SubscriptionKeeper | undefined
  /** Begins to read the published figures; undefined where there is no service to ask, or polling is off. */
  poll(take: Take, heard: Heard): Poller | undefined
  /** Undefined where no channel asks for pictures, or there is nobody to ask for a history. */
  picture: Pictures | undefined
  /** The published figures about an alert. Rejects with why there are none. */
  figures(alert: AlertEvent): Promise<Figures>
  /** The published figures of a model, for people who compare models: read rarely. Rejects with why there are none. */
  modelFigures: ReadModelFigures
  /** Undefined if no service is configured. */
  peopleService: PeopleService | undefined
  /** Requests that may leave for the service at once; undefined where there is no service to ask. */
  budgetLeft(): Promise<number | undefined>
}

export function openMonitored(config: Config, monitor: Monitor, services: SharedServices): Monitored {
  const keeper = subscriptionKeeper(config, monitor, services)
  const { draw, ...figures } = picturing(monitor, services)
  return {
    keeper,
    poll: (take, heard) => poller(config, monitor, services, { keeper, take, heard }),
    picture: config.channels.some(hasPictures) ? draw : undefined,
    ...figures,
    peopleService: { client: clientFor(monitor, services, { share: 'people' }), rates: monitor.rates },
    budgetLeft: () => budgetOf(monitor, services).left(),
  }
}

function subscriptionKeeper(
  config: Config,
  monitor: Monitor,
  services: SharedServices,
): SubscriptionKeeper | undefined {
  const { publicUrl } = config.webhook
  if (publicUrl === undefined) return undefined
  const keeper = keepSubscription({
    client: clientFor(monitor, services),
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
  monitor: Monitor,
  services: SharedServices,
  { keeper, take, heard }: Pick<Monitored, 'keeper'> & { take: Take; heard: Heard },
): Poller | undefined {
  if (!polls(config)) return undefined
  const { log, metrics } = services
  return startPolling({
    ...config.polling,
    ...wanted(config),
    // What failed is asked for at the next look.
    client: clientFor(monitor, services, { tries: 1 }),
    tier: tierOf(monitor.tier),
    rates: monitor.rates,
    maySpend: maySpend(monitor, services),
    subscription: () => keeper?.status(),
    state: stateOf(services.store, 'polling'),
    clock: services.clock,
    delivered: heard.all,
    take,
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

function hasPictures(channel: Config['channels'][number]): boolean {
  return 'pictures' in channel && channel.pictures === true
}

function picturing(
  monitor: Monitor,
  services: SharedServices,
): Pick<Monitored, 'figures' | 'modelFigures'> & { draw: Pictures } {
  const { clock, log } = services
  const parts: FiguresParts = {
    client: clientFor(monitor, services, { tries: 1 }),
    known: createKnownHistories(),
    maySpend: maySpend(monitor, services),
    rates: monitor.rates,
    clock,
  }
  const figures = createFigures(parts)
  const onNone = (event: string, why: string) => log.debug({ event, why }, 'no picture')
  const modelFigures = createModelFigures(parts)
  return { figures, modelFigures, draw: createPictures({ ...parts, draw: pngOf, onNone }, figures) }
}

/** What polling and the subscription need next is never short of a picture, or of a reading before it is due. */
function maySpend(monitor: Monitor, services: SharedServices): () => Promise<boolean> {
  const budget = budgetOf(monitor, services)
  const { burst } = rateOf(tierOf(monitor.tier), 'service')
  return async () => (await budget.left()) > burst / 2
}

function clientFor(
  monitor: Monitor,
  services: SharedServices,
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
