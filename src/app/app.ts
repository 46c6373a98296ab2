import { needRestart } from '../config/need-restart.ts'
import type { Config } from '../config/schema.ts'
import { secretsOf } from '../config/secrets.ts'
import type { LastReload } from '../console/parts.ts'
import type { RunningConsole } from '../console/start.ts'
import { recallDeliveries } from '../intake/poll/mode.ts'
import { startHeartbeat } from '../operators/heartbeat.ts'
import { createStoreReports } from '../operators/store-reports.ts'
import { createLog } from '../platform/log.ts'
import { createRedactor } from '../platform/redact.ts'
import { type OwnChange, observed } from '../store/observed.ts'
import { nameOf, storePlace } from '../store/place.ts'
import { type StoreChange, StoreUnavailable } from '../store/store.ts'
import { startAnswering } from './answering.ts'
import { startConsoling } from './consoling.ts'
import { startDigesting } from './digesting.ts'
import { type EffectiveConfig, fileInForce, inForce } from './effective-config.ts'
import { startHousekeeping } from './housekeeping.ts'
import { type Late, late } from './late.ts'
import { openRuntime } from './opened-config.ts'
import { createProbe } from './probe.ts'
import { createReloadable, type RunningApp, Stopping } from './running-app.ts'
import { readinessOf, serveCommands, serveHttp } from './serving.ts'
import { type AppEnvironment, type SharedServices, startSharedServices } from './shared-services.ts'
import { createStops, type ShutdownOrder } from './stops.ts'
import { createStoreCare } from './store-care.ts'

export interface App {
  readonly port: number
  /** Where the console is; undefined where none is configured. */
  readonly consoleUrl: string | undefined
  /**
   * Puts another configuration in force, or rejects and keeps the one that is. Several are put in force one after the
   * other. Answers the keys that need a restart.
   */
  reload(config: Config): Promise<string[]>
  /** The configuration file was changed and cannot be used: the operators are alerted, unless the service is being stopped. */
  reloadFailed(error: Error): void
  /**
   * Ends within about ten seconds: what is in flight is finished, what is owed goes on after the next start. Never rejects;
   * a second call waits for the first.
   */
  stop(): Promise<void>
  /** Resolves with why if this process must end by itself: a newer Bluepencil has changed what is stored, or the store is lost. */
  mustEnd: Promise<string>
}

/** Of the ten seconds, what deliveries in flight get. */
const stopGraceMs = 8_000
/** What works side by side has ended by then, whatever hangs; the operators may then still be told something. */
const stopMs = 8_700
const tellMs = 700

/**
 * The parts, in the order in which they are made, each of those before it. Every concrete part meets in this folder, and
 * nowhere else. Where a part cannot start, or the signal aborts before all have, those that did are stopped again and it
 * rejects: with `Stopping` for the signal.
 */
export async function startApp(
  config: Config,
  environment: AppEnvironment,
  stopSignal?: AbortSignal,
): Promise<App> {
  const goOn = () => {
    if (stopSignal?.aborted) throw new Stopping('the service was stopped before it had started')
  }
  goOn()
  const { clock } = environment
  const redactor = createRedactor()
  redactor.add(secretsOf(config))
  const log = createLog(config.log, redactor, environment.writeLog)
  const place = storePlace(config.store)
  const reports = createStoreReports(log, nameOf(place))
  const { onTrouble, onDoubt } = reports
  const mustEnd = Promise.withResolvers<string>()
  const opened = await environment.openStore(place, {
    now: clock.now,
    onTrouble,
    onDoubt,
    onMustEnd: mustEnd.resolve,
  })
  const consoling = late<RunningConsole>()
  /** What is changed before there is a console to be told; it has its lists from an earlier run. */
  let early: OwnChange[] | undefined = []
  const tellConsole = (change: OwnChange) => {
    const console = consoling.now()
    if (console === undefined) early?.push(change)
    else console.changed(change)
  }
  const store = config.console === undefined ? opened : observed(opened, tellConsole)
  const onError = (error: unknown) => log.error({ error }, 'while stopping')
  const stops = createStops({ clock, firstMs: stopMs, lastMs: tellMs, store, onError })
  try {
    goOn()
    const running = late<RunningApp>()
    stops.first(async () => running.never(new Stopping('the service is being stopped')))
    const services = await startSharedServices({ environment, redactor, log, store, place }, running)
    stops.last(() => services.incidents.stop())
    stops.first(() => services.generations.stop())

    const reloadable = await openReloadable(config, services)
    stops.first(() => reloadable.stop(stopGraceMs))
    goOn()
    const putting = late<EffectiveConfig>()
    stops.first(hearOthers(services, { reloadable, putting }))
    reloadable.send()
    running.is(reloadable)
    await reloadable.settleIn()
    // What the store found when it was opened is reported now that there is somebody to report it to.
    reports.alertBy(services.incidents)

    goOn()
    const probe = createProbe(store, clock)
    const ready = () => readinessOf(services, { reloadable, probe: probe.now })
    const answering = startAnswering(services, { environment, reloadable, ready })
    stops.first(answering.stop)
    const file = fileInForce(config, services, { reloadable, answering })
    putting.is(file)
    await file.reportOverlaid()
    // A process that ended right behind a change has not recorded whose it was.
    await services.settings
      .recordMissing()
      .catch((error: unknown) => log.error({ error }, 'while the last act was recorded'))
    const { chat } = answering
    const server = await serveHttp(services, { config, environment, reloadable, ready, chat })
    stops.first(() => server.close())
    stops.first(await serveCommands(services, { environment, place, reloadable, ready }))
    const reloads: Reloads = { last: undefined }
    if (config.console !== undefined) {
      const lastReload = () => reloads.last
      const first = { ...config, console: config.console }
      const given = { config: first, server, environment, place, reloadable, file, ready, lastReload }
      const console = await startConsoling(services, given)
      if (console !== undefined) {
        consoling.is(console)
        for (const change of early) console.changed(change)
        stops.first(console.stop)
        const end = store.changes(console.changed)
        stops.first(async () => end())
      }
    }
    early = undefined
    goOn()
    reloadable.subscribe()
    const isShared = place.is === 'database'
    const reread = () => readAnew(services, { file, isShared })
    const care = createStoreCare(services, { place, reloadable })
    stops.first(startHousekeeping(services, { reloadable, probe: probe.ended, reread, care }))
    stops.first(startDigesting(services, reloadable))
    stops.first(
      startHeartbeat({
        clock,
        settings: () => reloadable.current().config.heartbeat,
        isWell: async () => (await ready()).status === 'ready',
        onError: (error) => log.warn({ error }, 'no sign of life could be given'),
      }),
    )
    services.incidents.resolves('configuration', 'The configuration file is in force')
    log.info({ port: server.port, channels: namesOf(config), store: nameOf(place) }, 'ready')
    const urls = { port: server.port, consoleUrl: consoling.now()?.url }
    return appOf(config, { services, file, stops, reloads, mustEnd: mustEnd.promise, ...urls })
  } catch (error) {
    await stops.stop()
    throw error
  }
}

async function openReloadable(config: Config, services: SharedServices): Promise<RunningApp> {
  const { store, clock, log, alarms } = services
  const heard = await recallDeliveries(store, (error) => log.error({ error }, 'deliveries could not be read'))
  return createReloadable({
    first: await openRuntime(inForce(config, services.filters), services),
    store,
    clock,
    heard,
    onError(error, doing) {
      log.error({ error, doing }, 'while the configuration changes')
      if (error instanceof StoreUnavailable) alarms.storeFails()
    },
  })
}

/** What other processes change; answers what ends it. */
function hearOthers(
  { store, incidents, silences, log }: SharedServices,
  { reloadable, putting }: { reloadable: RunningApp; putting: Pick<Late<EffectiveConfig>, 'made'> },
): () => Promise<void> {
  async function heard(change: StoreChange): Promise<void> {
    if (change.of === 'state' && change.key === 'troubles') return incidents.refresh()
    if (change.of === 'state' && change.key === 'silences') return silences.refresh()
    if (change.of === 'state' && change.key === 'settings') return (await putting.made).filtersChanged()
    return reloadable.changed(change)
  }
  const end = store.changes((change) => {
    heard(change).catch((error: unknown) =>
      log.error({ error }, 'what another process changed could not be read'),
    )
  })
  return async () => end()
}

/** What failed when it was heard of, and what was not heard of while a database was away for long. */
async function readAnew(
  { silences, settings }: SharedServices,
  { file, isShared }: { file: EffectiveConfig; isShared: boolean },
): Promise<void> {
  await settings.recordMissing()
  await file.filtersChanged()
  if (isShared) await silences.refresh()
}

/** What became of the configuration file when it was last read. */
interface Reloads {
  last: LastReload | undefined
}

interface AppParts {
  services: SharedServices
  file: EffectiveConfig
  stops: ShutdownOrder
  reloads: Reloads
  mustEnd: Promise<string>
  port: number
  consoleUrl: string | undefined
}

function appOf(config: Config, { services, file, stops, reloads, mustEnd, port, consoleUrl }: AppParts): App {
  const { log, incidents, clock } = services
  const at = () => new Date(clock.now()).toISOString()
  return {
    port,
    consoleUrl,
    mustEnd,
    async reload(next) {
      const kept = needRestart(config, next)
      await file.reload(next)
      reloads.last = { at: at(), needRestart: kept }
      incidents.resolves('configuration', 'The configuration file is in force again')
      const needsRestart = kept.length > 0 ? { needRestart: kept } : {}
      log.info({ channels: namesOf(next), ...needsRestart }, 'the configuration is in force')
      return kept
    },
    reloadFailed(error) {
      if (stops.isStopping()) return
      log.error({ error }, 'the configuration was not changed')
      reloads.last = { at: at(), problem: error.message, needRestart: [] }
      incidents.opens('configuration', {
        title: 'The changed configuration cannot be used; the one before stays in force',
        text: error.message,
      })
    },
    async stop() {
      log.info('stopping')
      await stops.stop()
      log.info('stopped; what is pending goes on after the next start')
    },
  }
}

function namesOf(config: Config): string[] {
  return config.channels.map(({ name }) => name)
}
