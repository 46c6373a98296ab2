import { configuredParts } from '../config/configured-parts.ts'
import { type Console, ownListener, proxyNotNamed } from '../config/console.ts'
import type { Config } from '../config/schema.ts'
import type { LastReload } from '../console/parts.ts'
import type { RunningConsole, StartParts } from '../console/start.ts'
import { shownLater } from '../decide/accept/later.ts'
import { render } from '../message/render/render.ts'
import type { Readiness } from '../operators/readiness.ts'
import { createSendings } from '../people/converse/acts.ts'
import type { Serving } from '../platform/server/server.ts'
import { stateOf } from '../store/state-of.ts'
import { sendTestTo } from './chat-test.ts'
import type { EffectiveConfig } from './effective-config.ts'
import { filteringOf } from './filtering.ts'
import type { RunningApp } from './running-app.ts'
import { controlOf, tokensOf } from './serving.ts'
import type { AppEnvironment, SharedServices } from './shared-services.ts'

interface ConsolingParts {
  config: Config & { console: Console }
  server: Serving
  environment: Pick<AppEnvironment, 'listen' | 'tryFilters'>
  reloadable: RunningApp
  file: EffectiveConfig
  ready(): Promise<Readiness>
  lastReload(): LastReload | undefined
}

/**
 * The web console. Where none is configured, nothing of it is loaded. Alerts do not wait for it: where it cannot be served,
 * operators are alerted, and the rest goes on.
 */
export async function startConsoling(
  services: SharedServices,
  parts: ConsolingParts,
): Promise<RunningConsole | undefined> {
  const { log, incidents } = services
  try {
    const running = await start(services, parts)
    log.info({ url: running.url }, 'the console is served')
    const { console, server } = parts.config
    const doubt = proxyNotNamed(console, server)
    if (doubt !== undefined) log.warn(doubt)
    incidents.resolves('console', 'The console is served again')
    return running
  } catch (error) {
    log.error({ error }, 'the console is not served')
    const text = error instanceof Error ? error.message : String(error)
    incidents.opens('console', { title: 'The console cannot be served', text })
    return undefined
  }
}

async function start(
  services: SharedServices,
  { config: first, server, environment, reloadable, file, ready, lastReload }: ConsolingParts,
): Promise<RunningConsole> {
  const { store, clock, log, incidents } = services
  const config = () => reloadable.current().config
  const timeZone = () => config().channels[0]?.timeZone ?? 'UTC'
  const isOpen = ({ key, since }: { key: string; since: string }) =>
    incidents.current().some((one) => one.key === key && one.since === since)
  const { startConsole } = await import('../console/start.ts')
  return startConsole({
    first: first.console,
    console: () => config().console ?? first.console,
    trustProxy: first.server.trustProxy ?? [],
    state: stateOf(store, 'console'),
    clock,
    listen: listenerOf(first.console, { server, environment, clock }),
    onSignIn: ({ isIn, ...tried }) =>
      log[isIn ? 'info' : 'warn'](tried, isIn ? 'signed in to the console' : 'sign-in to the console failed'),
    shown: {
      control: controlOf(services, reloadable),
      tokens: tokensOf(services),
      sendings: createSendings({ now: clock.now, take: (act) => reloadable.take(act) }),
      sendAgain: async (id, channel) => (await reloadable.replay(id, channel, 'unreached')) === 'owed',
      config,
      ...filteringOf(services, { environment, file }),
      lastReload,
      ready,
      heardAt: services.contact.lastAt,
      budgetLeft: () => reloadable.current().budgetLeft(),
      async message(entry) {
        const later = shownLater(await store.later(entry.id))
        const isOver = entry.kind === 'notice' && entry.about !== undefined && !isOpen(entry.about)
        return render(entry, {
          timeZone: timeZone(),
          service: configuredParts(config()).service,
          ...later,
          isOver,
        })
      },
      async report(alert) {
        const { acts: _, ...later } = shownLater(await store.later(alert.id))
        return render(alert, { timeZone: timeZone(), service: configuredParts(config()).service, ...later })
      },
      series: (alert) => reloadable.current().figures(alert),
      modelFigures: (model, rate) => reloadable.current().modelFigures(model, rate),
      async sendTest(channel, { by, key }) {
        const sent = await sendTestTo(
          ({ name }) => name === channel,
          { by, key, command: 'the console' },
          { reloadable, now: clock.now() },
        )
        if (sent === undefined)
          return { isSent: false, said: 'The service is being stopped; nothing was sent.' }
        const { result } = sent
        return result.result === 'sent'
          ? { isSent: true, said: `It accepted the test: ${result.receipt.text}` }
          : { isSent: false, said: `It did not accept the test: ${result.why}` }
      },
      clock,
      onError: (error) => log.error({ error }, 'in the console'),
    },
  })
}

function listenerOf(
  console: Console,
  {
    server,
    environment,
    clock,
  }: Pick<ConsolingParts, 'server' | 'environment'> & Pick<SharedServices, 'clock'>,
): StartParts['listen'] {
  const own = ownListener(console)
  if (own === undefined) return async (application) => server.share(application)
  return (application) => environment.listen(application, { ...own, clock, setting: 'console.listen.port' })
}
