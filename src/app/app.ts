import type { ConfigFile } from '../config/compose.ts'
import { isSetUp, needRestart } from '../config/derived.ts'
import type { Config } from '../config/schema.ts'
import { passwordOf, secretsOf } from '../config/secrets.ts'
import type { LastReload } from '../console/parts.ts'
import type { RunningConsole } from '../console/start.ts'
import { recallDeliveries } from '../intake/poll/mode.ts'
import { startHeartbeat } from '../operators/heartbeat.ts'
import { notSetUp, readiness } from '../operators/readiness.ts'
import { createStoreReports } from '../operators/reports.ts'
import { within } from '../platform/clock.ts'
import { createLog, createRedactor } from '../platform/log.ts'
import { observed } from '../store/observed.ts'
import { nameOf, storePlace } from '../store/place.ts'
import { type StoreChange, StoreUnavailable } from '../store/store.ts'
import { startChat } from './chat.ts'
import { configCommands } from './config-commands.ts'
import { createConfigEditing } from './config-editing.ts'
import { startWebConsole } from './console.ts'
import { controlOf } from './control.ts'
import { createEffectiveConfig, type EffectiveConfig, effectiveConfig } from './effective-config.ts'
import type { AppEnvironment } from './environment.ts'
import { serveHttp } from './http.ts'
import { openConfig } from './opened-config.ts'
import { startDigests } from './reports.ts'
import { createRunningApp, type RunningApp, Stopping } from './running-app.ts'
import { type SharedServices, startServices } from './services.ts'
import { createStoreProbe } from './store-probe.ts'
import { startUpkeep } from './upkeep.ts'

export interface App {
  readonly port: number
  /** Where the console is; undefined if none is configured. */
  readonly consoleUrl: string | undefined
  /**
   * Puts another configuration in force, or rejects and keeps the one before. One after the other. Returns the keys that need a
   * restart.
   */
  reload(file: ConfigFile): Promise<string[]>
  /** The configuration file was changed and cannot be used: the operators are alerted, unless the service is being stopped. */
  reloadFailed(error: Error): void
  /**
   * Ends within about ten seconds. What is in flight is finished; what is pending goes on after the next start. Never rejects; a
   * second call waits for the first.
   */
  stop(): Promise<void>
  /** Resolves with why if this process must end by itself: a newer Bluepencil has changed what is stored, or the store is lost. */
  mustEnd: Promise<string>
}

/** Of the ten seconds, deliveries in flight get so many milliseconds. */
const deliveryGraceMs = 8_000
/** All that works side by side has ended by then, even if something hangs. Operators may be alerted a little longer. */
const stopMs = 8_700
const alertMs = 700

/**
 * Makes the parts, in the order in which they need each other. Every concrete part meets in this folder, and nowhere else. If a part
 * cannot start, or the signal aborts before all have, it stops those that did and rejects; with `Stopping` for the signal.
 */
export async function startApp(
  file: ConfigFile,
  environment: AppEnvironment,
  stopSignal?: AbortSignal,
): Promise<App> {
  refuseWhenStopping(stopSignal)
  const { clock } = environment
  const redactor = createRedactor()
  const log = createLog(file.base.log, redactor, environment.writeLog)
  const place = storePlace(file.base.store)
  redactor.add(passwordOf(file.base.store))
  const { alertBy, ...storeReports } = createStoreReports(log, nameOf(place))
  const mustEnd = Promise.withResolvers<string>()
  const opened = await environment.openStore(place, {
    now: clock.now,
    ...storeReports,
    onMustEnd: mustEnd.resolve,
  })
  let webConsole: RunningConsole | undefined
  const store = observed(opened, (change) => webConsole?.changed(change))
  const stops: Stops = { sideBySide: [], last: [] }
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= stopAll(stops, { clock, store, onError: (error) => log.error({ error }, 'while stopping') })
    return stopped
  }
  try {
    refuseWhenStopping(stopSignal)
    const services = await startServices({ environment, redactor, log, store, place })
    stops.last.push(services.incidents.stop)
    stops.sideBySide.push(services.rollout.stop)
    const config = services.browser.compose(file)
    redactor.add(secretsOf(config))
    const running = await openRunningApp(config, services)
    stops.sideBySide.push(() => running.stop(deliveryGraceMs))
    refuseWhenStopping(stopSignal)

    const probe = createStoreProbe(store, clock)
    const ready = () =>
      readiness({
        ...services,
        app: running,
        probe: probe.now,
        isSetUp: () => isSetUp(running.current().config) || services.browser.trouble() !== undefined,
      })
    const chat = startChat(services, { environment, running, ready })
    stops.sideBySide.push(chat.stop)
    const effective = createEffectiveConfig(file, services, {
      composed: config,
      running,
      onChanged: chat.configChanged,
    })
    stops.sideBySide.push(followOthers(services, { running, effective }))
    running.send()
    await services.begin(running)
    await running.settleRemoved()
    alertBy(services.incidents)
    refuseWhenStopping(stopSignal)

    await effective.reportOverridden()
    effective.reportTrouble()
    await recordMissingActs(services)
    const server = await serveHttp(services, { config, environment, running, ready, chat: chat.addRoutes })
    stops.sideBySide.push(() => server.close().finally(services.deliveryLines.flush))
    if (place.is === 'folder') {
      const config = configCommands(services, createConfigEditing(services, effective))
      const control = { ...controlOf(services, running), ready, config }
      stops.sideBySide.push(await environment.serveControl(place.folder, control))
    }
    const reloads: Reloads = { last: undefined }
    if (config.console !== undefined) {
      const lastReload = () => reloads.last
      const first = { ...config, console: config.console }
      const parts = { config: first, server, environment, running, effective, ready, lastReload }
      webConsole = await startWebConsole(services, parts)
      if (webConsole !== undefined)
        stops.sideBySide.push(webConsole.stop, endOf(store.changes(webConsole.changed)))
    }
    refuseWhenStopping(stopSignal)

    running.subscribe()
    const reread = () => rereadChanges(services, effective, place.is === 'database')
    stops.sideBySide.push(startUpkeep(services, { running, place, probe: probe.ended, reread }))
    stops.sideBySide.push(startDigests(services, running))
    stops.sideBySide.push(
      startHeartbeat({
        clock,
        settings: () => running.current().config.heartbeat,
        isWell: async () => (await ready()).status === 'ready',
        onError: (error) => log.warn({ error }, 'the heartbeat could not be sent'),
      }),
    )
    services.incidents.resolves('configuration', 'The configuration file is in use')
    log.info({ port: server.port, channels: namesOf(config), store: nameOf(place) }, 'ready')
    if (!isSetUp(config)) log.warn(notSetUp)
    return {
      port: server.port,
      consoleUrl: webConsole?.url,
      mustEnd: mustEnd.promise,
      ...reloading(services, { effective, reloads, isStopping: () => stopped !== undefined }),
      async stop() {
        log.info('stopping')
        await stop()
        log.info('stopped; pending messages go out after the next start')
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function refuseWhenStopping(stopSignal: AbortSignal | undefined): void {
  if (stopSignal?.aborted) throw new Stopping('the service was stopped before it had started')
}

async function openRunningApp(config: Config, services: SharedServices): Promise<RunningApp> {
  const { store, clock, log, alarms, filters } = services
  const deliveryLog = await recallDeliveries(store, (error) =>
    log.error({ error }, 'deliveries could not be read'),
  )
  return createRunningApp({
    first: await openConfig(effectiveConfig(config, filters), services),
    store,
    clock,
    deliveryLog,
    onError(error, doing) {
      log.error({ error, doing }, 'while the configuration changes')
      if (error instanceof StoreUnavailable) alarms.storeFails()
    },
  })
}

/** Follows what other processes change; answers what ends it. */
function followOthers(
  { store, incidents, silences, log }: SharedServices,
  { running, effective }: { running: RunningApp; effective: EffectiveConfig },
): () => Promise<void> {
  async function follow(change: StoreChange): Promise<void> {
    if (change.of === 'state' && change.key === 'troubles') return incidents.refresh()
    if (change.of === 'state' && change.key === 'silences') return silences.refresh()
    if (change.of === 'state' && change.key === 'settings') return effective.settingsChanged()
    return running.changed(change)
  }
  const end = store.changes((change) => {
    follow(change).catch((error: unknown) =>
      log.error({ error }, 'a change of another process could not be read'),
    )
  })
  return endOf(end)
}

function endOf(end: () => void): () => Promise<void> {
  return async () => end()
}

/** A process that ended right after a change has not recorded whose it was. */
async function recordMissingActs({ settings, log }: SharedServices): Promise<void> {
  await settings
    .recordMissing()
    .catch((error: unknown) => log.error({ error }, 'while the last act was recorded'))
}

/** What could not be read when it changed, and what changed while a database was away for long. */
async function rereadChanges(
  { silences, settings }: SharedServices,
  effective: EffectiveConfig,
  isShared: boolean,
): Promise<void> {
  await settings.recordMissing()
  await effective.settingsChanged()
  if (isShared) await silences.refresh()
}

/** The result of the last reload of the configuration file. */
interface Reloads {
  last: LastReload | undefined
}

function reloading(
  { log, incidents, clock }: SharedServices,
  parts: { effective: EffectiveConfig; reloads: Reloads; isStopping(): boolean },
): Pick<App, 'reload' | 'reloadFailed'> {
  const { effective, reloads, isStopping } = parts
  const atStart = effective.composed()
  const now = () => new Date(clock.now()).toISOString()
  return {
    async reload(file) {
      await effective.reload(file)
      const next = effective.composed()
      const kept = needRestart(atStart, next)
      reloads.last = { at: now(), needRestart: kept }
      incidents.resolves('configuration', 'The configuration file is in use again')
      const needsRestart = kept.length > 0 ? { needRestart: kept } : {}
      log.info({ channels: namesOf(next), ...needsRestart }, 'the configuration is in use')
      return kept
    },
    reloadFailed(error) {
      if (isStopping()) return
      log.error({ error }, 'the configuration was not changed')
      reloads.last = { at: now(), problem: error.message, needRestart: [] }
      incidents.opens('configuration', {
        title: 'The changed configuration cannot be used; the previous one stays in use',
        text: error.message,
      })
    },
  }
}

interface Stops {
  sideBySide: (() => Promise<unknown>)[]
  /** What the others need to the end. */
  last: (() => Promise<unknown>)[]
}

/** Never rejects. What hangs longer than its time is left behind; the store is closed after all, however long it takes. */
async function stopAll(
  { sideBySide, last }: Stops,
  {
    clock,
    store,
    onError,
  }: Pick<SharedServices, 'clock'> & {
    store: { close(): Promise<void> }
    onError(error: unknown): void
  },
): Promise<void> {
  const endAll = (ends: Stops['last']) => Promise.all(ends.map((end) => end().catch(onError)))
  await within(clock, stopMs, endAll(sideBySide))
  await within(clock, alertMs, endAll(last))
  await store.close().catch(onError)
}

function namesOf(config: Config): string[] {
  return config.channels.map(({ name }) => name)
}
