import type { Logger } from 'pino'
import type { ChatReply } from '../channels/interaction.ts'
import type { TryFilters } from '../console/filter-trial.ts'
import type { CompareWithFigures } from '../decide/accept/figures.ts'
import { retryPolicy } from '../deliver/policy.ts'
import type { ShownByFigures } from '../event/levels.ts'
import type { Words } from '../message/words/words.ts'
import { type Alarms, createAlarms } from '../operators/alarms.ts'
import { type Incidents, startIncidents } from '../operators/incidents.ts'
import { createReaderReports } from '../operators/reader-reports.ts'
import { operatorsTeller } from '../operators/teller.ts'
import { type Acts, createActs } from '../people/converse/acts.ts'
import type { FiguresQuestion } from '../people/converse/commands.ts'
import { type FilterOverrides, recallFilters } from '../people/converse/filters.ts'
import { createSettings, type Settings } from '../people/converse/settings.ts'
import { recallSilences, type Silences } from '../people/converse/silences.ts'
import { createReaders, type KeptReaders } from '../people/readers/readers.ts'
import { readBook } from '../people/readers/suppressions.ts'
import type { Clock } from '../platform/clock.ts'
import type { Redactor } from '../platform/redact.ts'
import type { TokenStore } from '../service/client/auth/token-store.ts'
import { type BudgetStore, fileBudgetStore, rememberedBudgetStore } from '../service/client/budget.ts'
import { createServiceTime, type ServiceTime } from '../service/client/http/service-time.ts'
import type { StorePlace } from '../store/place.ts'
import { stateOf } from '../store/state-of.ts'
import type { Store } from '../store/store.ts'
import { type ConfigRollout, createGenerations } from './config-rollout.ts'
import { createContact, type ServiceContact } from './contact.ts'
import type { Environment } from './environment.ts'
import type { Late } from './late.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import type { RunningApp } from './running-app.ts'
import type { PeopleService } from './service-clients.ts'
import { sharedTokens } from './tokens.ts'

/** What the application takes from outside: the machine, and where it shows what it does. */
export interface AppEnvironment extends Environment {
  /** Where log lines go. */
  writeLog(line: string): void
  /** Where console channels write. */
  out: { write(text: string): void; width: number; colour: boolean }
  /**
   * Asks the service for a person in a chat. Says it if the service does not answer, and rejects with what operators have to
   * mend.
   */
  consult?(question: FiguresQuestion, words: Words, service: PeopleService): Promise<ChatReply>
  /** What other filters of a channel would have meant for what came in lately. */
  tryFilters?: TryFilters
  /** Called when the state of the subscription changes: `active`, `missing`, … */
  onSubscription?(state: string): void
}

/** What stays when the configuration changes. */
export interface SharedServices {
  store: Store
  /** Whether the published figures show a change that the service reports, if this process polls. */
  seen: (...about: Parameters<CompareWithFigures>) => ShownByFigures
  clock: Clock
  /** By its `Date`, whichever configuration asked. */
  serviceTime: ServiceTime
  contact: ServiceContact
  /** From 0 up to, not including, 1. */
  random: () => number
  log: Logger
  redactor: Redactor
  metrics: Metrics
  incidents: Incidents
  alarms: Alarms
  silences: Silences
  /** What people have changed of what channels get. */
  settings: Settings
  filters: FilterOverrides
  /** What people may do. */
  acts: Acts
  /** Where the service's budget is kept: one for all configurations, so that a reload wins no request. */
  budgetStore: BudgetStore
  /** What is kept of it for people, shared with commands. */
  peopleBudgetStore: BudgetStore
  tokens: TokenStore
  out: AppEnvironment['out']
  readers: KeptReaders
  generations: ConfigRollout
  onSubscription?: ((state: string) => void) | undefined
}

/** What the others stand on: made first, and there until the end. */
export interface BaseServices {
  environment: AppEnvironment
  redactor: Redactor
  log: Logger
  store: Store
  place: StorePlace
}

/** `running` is made of these, and they refer to it: what they count and whom they alert is of the configuration in force. */
export async function startSharedServices(
  { environment, redactor, log, store, place }: BaseServices,
  running: Late<RunningApp>,
): Promise<SharedServices> {
  const { clock, random, out, onSubscription, showsProcess } = environment
  const onError = (error: unknown) => log.error({ error }, 'while alerting the operators')
  const alert = operatorsTeller({
    clock,
    running: running.made,
    policy: retryPolicy,
    store,
    wrong: () => incidents.current(),
    onError,
  })
  // What is alerted to waits until all runs, and so until the incidents are there.
  const incidents: Incidents = await startIncidents({
    clock,
    state: stateOf(store, 'troubles'),
    tallies: stateOf(store, 'tallies'),
    hold: (waiting) => store.hold('incidents', waiting),
    tell(notice, key) {
      log.warn({ event: notice.id, text: notice.text }, notice.title)
      return alert(notice, key)
    },
    onError,
  })
  const silences = await recallSilences({ state: stateOf(store, 'silences') })
  const settings = createSettings({ store, take: async (act) => (await running.made).take(act) })
  const filters = await recallFilters(settings)
  const metrics = createMetrics({
    backlog: () => store.backlog(),
    troubles: incidents.current,
    polling: () => running.now()?.polling()?.status(),
    budgetLeft: async () => await running.now()?.current().budgetLeft(),
    now: clock.now,
    showsProcess,
  })
  const reports = createReaderReports(incidents, onError)
  const readers = createReaders({
    store,
    now: clock.now,
    onUnsubscribed: reports.left,
    onRefused: reports.refused,
    onError: (error) => log.error({ error }, 'what is known of readers could not be changed'),
  })
  reports.again(await readBook(store), clock.now())
  return {
    store,
    readers,
    generations: createGenerations({
      store,
      clock,
      onError: (error) => log.error({ error }, 'while showing which configuration is in force'),
    }),
    clock,
    random,
    log,
    redactor,
    out,
    onSubscription,
    incidents,
    alarms: createAlarms(
      incidents,
      clock,
      (channel) =>
        running
          .now()
          ?.current()
          .channels.find(({ name }) => name === channel)?.type,
    ),
    silences,
    settings,
    filters,
    acts: createActs({
      store,
      silences,
      now: clock.now,
      take: async (act) => (await running.made).take(act),
    }),
    metrics,
    serviceTime: createServiceTime(clock),
    contact: createContact(store, clock),
    budgetStore: rememberedBudgetStore(stateOf(store, 'budget'), clock),
    peopleBudgetStore:
      place.is === 'folder'
        ? fileBudgetStore(place.folder, clock)
        : rememberedBudgetStore(stateOf(store, 'people-budget'), clock),
    tokens: sharedTokens(store, clock),
    seen: (step) => running.now()?.polling()?.seen(step) ?? { state: 'unknown' },
  }
}
