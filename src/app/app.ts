import { resolve } from 'node:path'
import { rememberedBudgetStore } from '../client/budget/store.ts'
import { createServiceTime } from '../client/http/service-time.ts'
import { notOftener } from '../clock.ts'
import { needRestart } from '../config/need-restart.ts'
import type { Config } from '../config/schema.ts'
import { secretsOf } from '../config/secrets.ts'
import { localControl } from '../control/local.ts'
import { retryPolicy } from '../deliver/policy.ts'
import { createAlarms } from '../operators/alarms.ts'
import { startIncidents } from '../operators/incidents.ts'
import { createStoreReports } from '../operators/store-reports.ts'
import { operatorsTeller } from '../operators/teller.ts'
import { recallDeliveries } from '../poll/heard.ts'
import { recallForms } from '../receive/learnt-forms.ts'
import { readiness } from '../server/readiness.ts'
import { startServer } from '../server/server.ts'
import { stateOf } from '../store/state-of.ts'
import { StoreUnavailable } from '../store/store.ts'
import { createLog } from '../telemetry/log.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { createRedactor } from '../telemetry/redact.ts'
import { deliveries } from './deliveries.ts'
import type { Environment } from './environment.ts'
import { startHousekeeping } from './housekeeping.ts'
import { createReloadable, type Reloadable, Stopping } from './reload.ts'
import { openRuntime, type SharedServices } from './runtime.ts'
import { createStops } from './stops.ts'

/** What the application takes from outside: the machine, and where it shows what it does. */
export interface AppEnvironment extends Environment {
  /** Where log lines go. */
  writeLog(line: string): void
  /** Where console channels write. */
  out: SharedServices['out']
  /** Told when the state of the subscription changes: `active`, `missing`, … */
  onSubscription?(state: string): void
}

export interface App {
  readonly port: number
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
}

/** Of the ten seconds, what deliveries in flight get. */
const stopGraceMs = 8_000
/** What works side by side has ended by then, whatever hangs; the operators may then still be told something. */
const stopMs = 8_700
const tellMs = 700
/** However often somebody asks, the disk is probed once in so many milliseconds. */
const probeMs = 1_000

export function storeFolder(config: Config): string {
  return resolve(config.store.slice('file:'.length))
}

/**
 * Every concrete part meets here and in configured.ts, and nowhere else. Where a part cannot start, or the signal aborts
 * before all have, those that did are stopped again and it rejects: with `Stopping` for the signal.
 */
export async function startApp(
  config: Config,
  environment: AppEnvironment,
  stopSignal?: AbortSignal,
): Promise<App> {
  refuseWhenAborted()
  const { clock } = environment
  const redactor = createRedactor()
  redactor.add(secretsOf(config))
  const log = createLog(config.log, redactor, environment.writeLog)
  const folder = storeFolder(config)
  const storeReports = createStoreReports(log, folder)
  const { onTrouble, onDoubt } = storeReports
  const store = await environment.openStore(folder, { now: clock.now, onTrouble, onDoubt })
  const stops = createStops({
    clock,
    firstMs: stopMs,
    lastMs: tellMs,
    store,
    onError: (error) => log.error({ error }, 'while stopping'),
  })
  try {
    return await startParts()
  } catch (error) {
    await stops.stop()
    throw error
  }

  function refuseWhenAborted(): void {
    if (stopSignal?.aborted) throw new Stopping('the service was stopped before it had started')
  }

  async function startParts(): Promise<App> {
    refuseWhenAborted()
    // What is found at the start is told when there is somebody to tell it.
    const started = Promise.withResolvers<Reloadable>()
    started.promise.catch(() => undefined)
    stops.first(async () => started.reject(new Stopping('the service is being stopped')))
    let running: Reloadable | undefined
    const tell = operatorsTeller({
      clock,
      running: started.promise,
      policy: retryPolicy,
      onError: (error) => log.error({ error }, 'while alerting the operators'),
    })
    const incidents = await startIncidents({
      clock,
      state: stateOf(store, 'troubles'),
      tallies: stateOf(store, 'tallies'),
      tell(notice, key) {
        log.warn({ event: notice.id, text: notice.text }, notice.title)
        return tell(notice, key)
      },
      onError: (error) => log.error({ error }, 'while alerting the operators'),
    })
    stops.last(() => incidents.stop())
    const alarms = createAlarms(incidents, clock)
    const metrics = createMetrics({
      backlog: () => store.backlog(),
      troubles: incidents.current,
      polling: () => running?.polling()?.status(),
      budgetLeft: async () => await running?.current().budgetLeft(),
      now: clock.now,
      showsProcess: environment.showsProcess,
    })
    const { out, onSubscription } = environment
    const serviceTime = createServiceTime(clock)
    const budgetStore = rememberedBudgetStore(stateOf(store, 'budget'), clock)
    const services: SharedServices = {
      store,
      seen: (step) => running?.polling()?.seen(step) ?? 'unknown',
      clock,
      serviceTime,
      random: environment.random,
      log,
      redactor,
      metrics,
      incidents,
      alarms,
      budgetStore,
      out,
      onSubscription,
    }
    const forms = await recallForms({
      ...stateOf(store, 'signatures'),
      onError: (error) => log.error({ error }, 'the signature form could not be remembered'),
    })

    const heard = await recallDeliveries(store, (error) =>
      log.error({ error }, 'deliveries could not be read'),
    )
    const reloadable = createReloadable({
      first: await openRuntime(config, services),
      clock,
      heard,
      onError(error, doing) {
        log.error({ error, doing }, 'while the configuration changes')
        if (error instanceof StoreUnavailable) alarms.storeFails()
      },
    })
    stops.first(() => reloadable.stop(stopGraceMs))
    refuseWhenAborted()
    running = reloadable
    reloadable.send()
    started.resolve(reloadable)
    await reloadable.settleIn()
    storeReports.alertBy(incidents)

    refuseWhenAborted()
    const probe = notOftener(probeMs, clock, () => store.probe())
    const server = await startServer({
      ...config.server,
      webhook: deliveries(services, { path: config.webhook.path, reloadable, forms }),
      metrics,
      clock,
      listen: environment.listen,
      ready: () =>
        readiness({
          probe,
          backlog: () => store.backlog(),
          troubles: incidents.current,
          subscription: () => reloadable.current().keeper?.status(),
          polling: () => reloadable.polling()?.status(),
          channels: reloadable.current().channels,
        }),
      onError: (error) => log.error({ error }, 'while answering'),
    })
    stops.first(() => server.close())
    stops.first(
      await environment.serveControl(
        folder,
        localControl({
          store,
          channels: () => reloadable.current().channels.map(({ name }) => name),
          running: true,
          owe: (eventId, channel) => reloadable.replay(eventId, channel),
          resting: () => reloadable.backingOff(),
          close: async () => {},
        }),
      ),
    )
    refuseWhenAborted()
    reloadable.subscribe()
    stops.first(startHousekeeping(services, { reloadable, probe }))
    incidents.resolves('configuration', 'The configuration in force is that of the file.')
    log.info({ port: server.port, channels: namesOf(config), store: folder }, 'ready')

    return {
      port: server.port,
      async reload(next) {
        const kept = needRestart(config, next)
        await reloadable.reload(() => openRuntime(next, services))
        incidents.resolves('configuration', 'The configuration file is right again and in force.')
        log.info(
          { channels: namesOf(next), ...(kept.length > 0 ? { needRestart: kept } : {}) },
          'the configuration is in force',
        )
        return kept
      },
      reloadFailed(error) {
        if (stops.isStopping()) return
        log.error({ error }, 'the configuration was not changed')
        incidents.opens('configuration', {
          title: 'The changed configuration cannot be used; the one before stays in force',
          text: error.message,
        })
      },
      stop: stops.stop,
    }
  }
}

function namesOf(config: Config): string[] {
  return config.channels.map(({ name }) => name)
}
