import type { Logger } from 'pino'
import type { Channel } from '../channels/channel.ts'
import { kindOf } from '../channels/registry.ts'
import type { Config } from '../config/schema.ts'
import { retryPolicy } from '../deliver/policy.ts'
import type { Entry } from '../event/event.ts'
import type { Poller } from '../intake/poll/poll.ts'
import type { PollingState } from '../intake/poll/state.ts'
import { createAlarms } from '../operators/alarms.ts'
import { type AlertingApp, createOperatorAlerts } from '../operators/alerting.ts'
import { type Incidents, startIncidents } from '../operators/incidents.ts'
import { createReaderReports } from '../operators/reports.ts'
import { createActs } from '../people/converse/acts.ts'
import { recallFilters } from '../people/converse/filters.ts'
import { createSettings } from '../people/converse/settings.ts'
import { recallSilences } from '../people/converse/silences.ts'
import { createReaders } from '../people/readers/readers.ts'
import { readBook } from '../people/readers/suppressions.ts'
import { after, type Clock } from '../platform/clock.ts'
import type { Redactor } from '../platform/log.ts'
import { oneAtATime } from '../platform/one-at-a-time.ts'
import type { TokenStore } from '../service/client/auth/token-store.ts'
import { fileBudgetStore, rememberedBudgetStore } from '../service/client/budget.ts'
import { createServiceTime } from '../service/client/http/service-time.ts'
import type { StorePlace } from '../store/place.ts'
import { type Store, stateOf } from '../store/store.ts'
import { createConfigRollout } from './config-rollout.ts'
import { createDeliveryLines } from './delivery-lines.ts'
import type { AppEnvironment } from './environment.ts'
import { createMetrics } from './metrics.ts'
import { recallBrowserConfig } from './stored-browser-config.ts'

/** What the services need of the application that runs on them. */
interface ServedApp extends AlertingApp {
  accept(entry: Entry): Promise<'new' | 'duplicate'>
  current(): {
    config: Config
    channels: readonly Channel[]
    /** Requests that may leave for the service at once; undefined if there is no service to ask. */
    budgetLeft(): Promise<number | undefined>
  }
  polling(): Poller | undefined
}

/** What stays when the configuration changes. */
export type SharedServices = Awaited<ReturnType<typeof startServices>>

interface BaseServices {
  environment: AppEnvironment
  redactor: Redactor
  log: Logger
  store: Store
  place: StorePlace
}

export async function startServices({ environment, redactor, log, store, place }: BaseServices) {
  const { clock, random, out, onSubscription, showsProcess } = environment
  const onError = (error: unknown) => log.error({ error }, 'while alerting the operators')
  const running: { current: ServedApp | undefined } = { current: undefined }
  function runningApp(): ServedApp {
    if (running.current === undefined) throw new Error('the service is still starting')
    return running.current
  }
  const alertOperators = createOperatorAlerts({
    clock,
    running: runningApp,
    policy: retryPolicy,
    store,
    openIncidents: () => incidents.current(),
    onError,
  })
  const incidents: Incidents = await startIncidents({
    clock,
    state: stateOf(store, 'troubles'),
    tallies: stateOf(store, 'tallies'),
    acquireLease: (waiting) => store.acquireLease('incidents', waiting),
    alert(notice, key) {
      log.warn({ event: notice.id, text: notice.text }, notice.title)
      return alertOperators(notice, key)
    },
    onError,
  })
  const silences = await recallSilences({ state: stateOf(store, 'silences') })
  const settings = createSettings({ store, accept: (act) => runningApp().accept(act) })
  const browser = await recallBrowserConfig(settings)
  const overrides = await recallFilters(settings)
  const readerReports = createReaderReports(incidents, onError)
  const readers = createReaders({
    store,
    now: clock.now,
    onUnsubscribed: readerReports.unsubscribed,
    onRefused: readerReports.refused,
    onError: (error) => log.error({ error }, 'the list of mail readers could not be changed'),
  })
  return {
    store,
    /** The application that runs; undefined while it starts. */
    running,
    readers,
    rollout: createConfigRollout({
      store,
      clock,
      onError: (error) => log.error({ error }, 'while recording which configuration is in use'),
    }),
    clock,
    /** From 0 up to, not including, 1. */
    random,
    log,
    deliveryLines: createDeliveryLines(log, clock),
    redactor,
    out,
    onSubscription,
    incidents,
    alarms: createAlarms(incidents, clock, (channel) => {
      const channels = running.current?.current().config.channels
      const configured = channels?.find(({ name }) => name === channel)
      return configured && kindOf(configured).title
    }),
    silences,
    /** What people have changed of what channels get. */
    settings,
    filters: {
      ...overrides,
      /** A channel that was made in the browser has its filters itself. */
      of: (name: string) => (browser.hasChannel(name) ? undefined : overrides.of(name)),
    },
    /** What people made of the configuration in the browser. */
    browser,
    /** What people may do. A click or a command enters the pipeline here, as an act that is accepted like an event. */
    acts: createActs({ store, silences, now: clock.now, accept: async (act) => runningApp().accept(act) }),
    metrics: createMetrics({
      backlog: () => store.backlog(),
      troubles: incidents.current,
      polling: () => running.current?.polling()?.status(),
      budgetLeft: async () => await running.current?.current().budgetLeft(),
      now: clock.now,
      showsProcess,
    }),
    /** By the `Date` of the monitoring service; all configurations share it. */
    serviceTime: createServiceTime(clock),
    contact: createContact(store, clock),
    /** Where the service's budget is kept: one for all configurations, so that a reload wins no request. */
    budgetStore: rememberedBudgetStore(stateOf(store, 'budget'), clock),
    /** The budget that is kept for people, shared with commands. */
    peopleBudgetStore:
      place.is === 'folder'
        ? fileBudgetStore(place.folder, clock)
        : rememberedBudgetStore(stateOf(store, 'people-budget'), clock),
    tokens: sharedTokens(store, clock),
    /** The application runs now: operators can be alerted. */
    async begin(app: ServedApp): Promise<void> {
      running.current = app
      incidents.startAlerting()
      readerReports.repeat(await readBook(store), clock.now())
    },
  }
}

/** When the monitoring service last showed that it works. What polling remembers counts too, also of other processes. */
export function createContact(store: Pick<Store, 'readState'>, clock: Pick<Clock, 'now'>) {
  let here: number | undefined
  return {
    /** It has just done what it was asked, or a delivery was verified. */
    noted(): void {
      here = clock.now()
    },
    /** Milliseconds since the epoch; undefined before the first time. */
    async lastAt(): Promise<number | undefined> {
      const stored = await readPollingState(store, clock.now()).catch(() => undefined)
      const remembered = [stored?.succeededAt, stored?.webhooks.deliveredAt]
      const times = [here, ...remembered].filter((time) => typeof time === 'number')
      return times.length === 0 ? undefined : Math.max(...times)
    },
  }
}

/** As polling, in any process, remembers it. The reader is loaded only when somebody asks. */
export async function readPollingState(store: Pick<Store, 'readState'>, now: number): Promise<PollingState> {
  const { pollingStateFrom } = await import('../intake/poll/state.ts')
  return pollingStateFrom(await store.readState('polling'), now)
}

/** A renewal takes one request. If another process was killed in one, this one goes on without it after so long. */
const renewalMs = 10_000

/** OAuth tokens in the store: one of each for all clients of this process and of the others. */
export function sharedTokens(
  store: Pick<Store, 'acquireLease' | 'readState' | 'changeState'>,
  clock: Clock,
): TokenStore {
  const state = stateOf(store, 'tokens')
  /** One after the other in this process: the store gives a lease only once to a process. */
  const inTurn = oneAtATime()

  async function underHold<T>(work: () => Promise<T>): Promise<T> {
    const waiting = new AbortController()
    const cancel = after(clock, renewalMs, () => waiting.abort())
    const lease = await store.acquireLease('tokens', waiting.signal)
    cancel()
    try {
      return await work()
    } finally {
      lease?.release()
    }
  }

  return {
    read: state.read,
    change: state.change,
    alone: (work) => inTurn(() => underHold(work)),
  }
}
