import { randomUUID } from 'node:crypto'
import { type ChannelFilters, filtersOf } from '../channels/settings.ts'
import { type Console, ownListener, proxyNotNamed } from '../config/console.ts'
import { isSetUp, pipelineSettings, polls } from '../config/derived.ts'
import type { Config } from '../config/schema.ts'
import type { ConfigEditing, ConsoleParts, LastReload } from '../console/parts.ts'
import type { RunningConsole, StartParts } from '../console/start.ts'
import { shownLater } from '../decide/accept/later.ts'
import type { Entry } from '../event/event.ts'
import { knownModels } from '../event/event.ts'
import { planFor } from '../intake/poll/plan.ts'
import { statedSize } from '../message/render/levels.ts'
import { render } from '../message/render/render.ts'
import type { Readiness } from '../operators/readiness.ts'
import { actBy, actId, createSendings } from '../people/converse/acts.ts'
import { createFiltering } from '../people/converse/filters.ts'
import { createOwnFeeds } from '../people/converse/own-feeds.ts'
import { longestSilenceMs } from '../people/converse/silences.ts'
import { within } from '../platform/clock.ts'
import { dayMs } from '../platform/durations.ts'
import type { Serving } from '../platform/server/server.ts'
import { plain } from '../platform/text.ts'
import { tierOf } from '../service/client/bucket.ts'
import { newestFirst, receivedSince } from '../store/pages.ts'
import { type Store, type StoredEntry, StoreUnavailable, stateOf } from '../store/store.ts'
import { sendTestTo } from './chat.ts'
import { createConfigEditing } from './config-editing.ts'
import { controlOf, setupKeysOf, tokensOf, usesOf } from './control.ts'
import { type EffectiveConfig, effectiveConfig, noFilters } from './effective-config.ts'
import type { AppEnvironment } from './environment.ts'
import type { RunningApp } from './running-app.ts'
import type { SharedServices } from './services.ts'

interface WebConsoleParts {
  config: Config & { console: Console }
  server: Serving
  environment: Pick<AppEnvironment, 'listen' | 'tryFilters' | 'tryAnswers' | 'out'>
  running: RunningApp
  effective: EffectiveConfig
  ready(): Promise<Readiness>
  lastReload(): LastReload | undefined
}

/** The web console, loaded only here. If it cannot be served, operators are alerted and the rest goes on: alerts don't wait for it. */
export async function startWebConsole(
  services: SharedServices,
  parts: WebConsoleParts,
): Promise<RunningConsole | undefined> {
  const { log, incidents } = services
  try {
    const { startConsole } = await import('../console/start.ts')
    const webConsole = await startConsole(startPartsOf(services, parts))
    log.info({ url: webConsole.url }, 'the console is served')
    const { console, server } = parts.config
    const { environment } = parts
    if (!isSetUp(parts.config))
      await printSetupAddress(services, { url: webConsole.url, out: environment.out })
    const doubt = proxyNotNamed(console, server)
    if (doubt !== undefined) log.warn(doubt)
    incidents.resolves('console', 'The console is served again')
    return webConsole
  } catch (error) {
    log.error({ error }, 'the console is not served')
    const text = error instanceof Error ? error.message : String(error)
    incidents.opens('console', { title: 'The console cannot be served', text })
    return undefined
  }
}

function startPartsOf(services: SharedServices, parts: WebConsoleParts): StartParts {
  const { config: first, server, environment, running, effective, ready, lastReload } = parts
  const { store, clock, log, incidents } = services
  const config = () => running.current().config
  const rendering = () => ({
    timeZone: config().channels[0]?.timeZone ?? 'UTC',
    service: pipelineSettings(config()).service,
  })
  const listener = ownListener(first.console)
  const setup = setupKeysOf(services)
  async function recordSignIn(name: string): Promise<void> {
    const by = { name: plain(name, 100), via: 'console' } as const
    const id = actId('sign-in', name, String(clock.now()), randomUUID())
    await running
      .accept({ ...actBy(by, clock.now), id, does: 'sign-in' })
      .catch((error: unknown) => log.error({ error }, 'a sign-in could not be recorded'))
  }
  const configEditing = createConfigEditing(services, effective)

  return {
    first: first.console,
    console: () => config().console ?? first.console,
    trustProxy: first.server.trustProxy ?? [],
    state: stateOf(store, 'console'),
    listen: async (application) =>
      listener === undefined
        ? server.share(application)
        : environment.listen(application, { ...listener, clock, setting: 'console.listen.port' }),
    onSignIn({ isIn, ...attempt }) {
      log[isIn ? 'info' : 'warn'](
        attempt,
        isIn ? 'signed in to the console' : 'sign-in to the console failed',
      )
      const { name } = attempt
      if (isIn && name !== undefined) void recordSignIn(name)
    },
    shown: {
      control: controlOf(services, running),
      tokens: tokensOf(services),
      feeds: createOwnFeeds({
        settings: services.settings,
        uses: usesOf(services),
        visits: stateOf(store, 'feed-visits'),
        gone: stateOf(store, 'feeds-gone'),
        now: clock.now,
        onError: (error) => log.error({ error }, 'the visit of a feed owner could not be recorded'),
      }),
      setup,
      tryAnswers: async (step, answers, by) =>
        environment.tryAnswers?.({
          step,
          answers,
          around: { config: config(), probeKey: await setup.probeKey(), by },
        }),
      pollsEveryMs: () => pollsEveryMs(config()),
      sendings: createSendings({ now: clock.now, accept: (act) => running.accept(act) }),
      sendAgain: async (id, channel) => (await running.replay(id, channel, 'unreached')) === 'pending',
      config,
      configEditing,
      ...filteringOf(services, { environment, effective, configEditing }),
      lastReload,
      ready,
      wellSince: incidents.wellSince,
      heardAt: services.contact.lastAt,
      budgetLeft: () => running.current().budgetLeft(),
      async message(entry) {
        const later = shownLater(await store.later(entry.id))
        const isOver = entry.kind === 'notice' && entry.about !== undefined && !incidents.isOpen(entry.about)
        return render(entry, { ...rendering(), ...later, isOver })
      },
      async report(alert) {
        const { acts: _, published: _published, ...later } = shownLater(await store.later(alert.id))
        return render(alert, { ...rendering(), ...later })
      },
      statedSize: async (alert) => statedSize(alert, shownLater(await store.later(alert.id))),
      series: (alert) => running.current().figures(alert),
      storedFigures: (model, rate) => running.current().storedFigures(model, rate),
      modelFigures: (model, rate) => running.current().modelFigures(model, rate),
      opensMessages: (channel) =>
        running.current().channels.find(({ name }) => name === channel)?.linkTo !== undefined,
      messageAddress: (channel, receipt) =>
        running.lend(async ({ channels }, signal) => {
          const patience = AbortSignal.any([signal, AbortSignal.timeout(addressMs)])
          return channels.find(({ name }) => name === channel)?.linkTo?.(receipt, patience)
        }),
      async sendTest(channel, { by, key }) {
        const sent = await sendTestTo(
          ({ name }) => name === channel,
          { by, key, command: 'the console' },
          { running, now: clock.now() },
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
  }
}

/** Before it is set up: a new key, printed once, past the log. The one before is worth nothing. */
async function printSetupAddress(
  services: SharedServices,
  { url, out }: { url: string; out: AppEnvironment['out'] },
): Promise<void> {
  const key = await setupKeysOf(services).issue()
  services.redactor.add([key])
  const here = url.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:)/, '//localhost')
  out.write(
    `Bluepencil is not set up yet. Open this address in a browser; it works once:\n\n  ${here}setup#${key}\n\n`,
  )
}

/** How often the published figures are read at full rate, by the plan; undefined if they are not read. */
function pollsEveryMs(config: Config): number | undefined {
  const { monitor, polling } = config
  if (monitor === undefined || !polls(config)) return undefined
  const plan = planFor({
    tier: tierOf(monitor.tier),
    models: knownModels.length,
    compare: true,
    alerts: false,
    fastestMs: polling.interval,
  })
  return plan.figuresMs.full
}

/** So long somebody waits for a provider to say where a message is; milliseconds. */
const addressMs = 5_000
/** Messages in flight may take longer to end. What comes in meanwhile goes by the new filters already. */
const appliedMs = 3_000
const triedMs = 90 * dayMs
/** A desk gets some hundred alerts in ninety days. */
const mostTried = 5_000

/** What the console needs to change the filters of a channel. */
export function filteringOf(
  { store, filters, clock }: Pick<SharedServices, 'store' | 'filters' | 'clock'>,
  {
    environment,
    effective,
    configEditing,
  }: {
    environment: Pick<AppEnvironment, 'tryFilters'>
    effective: Pick<EffectiveConfig, 'composed' | 'settingsChanged'>
    configEditing: Pick<ConfigEditing, 'channel' | 'change' | 'revision'>
  },
): Pick<ConsoleParts, 'filtering' | 'filtersAt' | 'tryFilters'> {
  const ofFile = createFiltering({
    filters,
    now: clock.now,
    apply: () => within(clock, appliedMs, effective.settingsChanged()),
  })
  const isMade = (name: string) => configEditing.channel(name)?.from === 'browser'
  return {
    filtersAt(name) {
      const channel = effective.composed().channels.find((other) => other.name === name)
      if (channel === undefined) return undefined
      const isFixed = channel.fixed === true || effective.composed().console?.edit === false
      if (isMade(name)) {
        return {
          file: filtersOf(channel),
          isFixed,
          changed: undefined,
          lastAt: String(configEditing.revision()),
        }
      }
      return { file: filtersOf(channel), isFixed, changed: filters.of(name), lastAt: filters.lastAt(name) }
    },
    filtering: {
      async change(doer, of, becomes) {
        const made = configEditing.channel(of.channel)
        if (made?.from !== 'browser') return ofFile.change(doer, of, becomes)
        const rest = Object.entries(made.value).filter(([key]) => !Object.hasOwn(noFilters, key))
        const channel = { ...Object.fromEntries(rest), ...becomes }
        const changed = await configEditing.change(doer, { channel: of.channel }, channel, Number(of.lastAt))
        if (changed.result === 'refused') throw new StoreUnavailable(changed.why)
        return changed.result !== 'outrun' && changed.result !== 'invalid'
      },
      restore: ofFile.restore,
    },
    async tryFilters(name, becomes) {
      if (environment.tryFilters === undefined) return undefined
      const to = clock.now()
      const { entries, from } = await recentEntries(store, to)
      const withFilters = (changed: ChannelFilters | undefined) =>
        oneChannel(effective.composed(), name, changed)
      const asItIs = withFilters(filters.of(name)?.filters)
      return environment.tryFilters({ asItIs, changed: withFilters(becomes), entries, from, to })
    },
  }
}

/** The file's configuration with this channel alone, by these filters or by the file's. */
function oneChannel(file: Config, name: string, by: ChannelFilters | undefined): Config {
  const channels = file.channels.filter((channel) => channel.name === name)
  const changed = by && { filters: by, file: by, by: { name: '', via: 'console' as const }, at: '' }
  return effectiveConfig({ ...file, channels, operators: [] }, { of: () => changed })
}

/** Alerts and acts, newest first. Acts go back further than the alerts: a silence may last from before them. */
async function recentEntries(
  store: Pick<Store, 'list'>,
  to: number,
): Promise<{ entries: Entry[]; from: number }> {
  const since = new Date(to - triedMs - longestSilenceMs).toISOString()
  const alerts: StoredEntry[] = []
  for await (const rows of newestFirst(store, { kind: 'alert', from: since, withoutOutcomes: true })) {
    alerts.push(...rows)
    if (alerts.length >= mostTried) break
  }
  const oldest = Date.parse(alerts[mostTried - 1]?.entry.receivedAt ?? since)
  const from = Math.max(to - triedMs, oldest)
  const acts = await receivedSince(store, ['act'], from - longestSilenceMs)
  const rows = [...alerts, ...acts].toSorted((one, other) => other.seq - one.seq)
  return { entries: rows.map(({ entry }) => entry), from }
}
