import type { IRouter } from 'express'
import { consolePath, ownListener } from '../config/console.ts'
import type { Config } from '../config/schema.ts'
import { sendHeld } from '../decide/digest/send-held.ts'
import { recallForms } from '../intake/receive/learnt-forms.ts'
import { type Readiness, readiness } from '../operators/readiness.ts'
import { type Control, localControl } from '../people/control/control.ts'
import { createSendings } from '../people/converse/acts.ts'
import { type ConsoleTokens, openTokens } from '../people/converse/tokens.ts'
import { unsubscribing } from '../people/readers/routes.ts'
import { type Serving, startServer } from '../platform/server/server.ts'
import type { StorePlace } from '../store/place.ts'
import { stateOf } from '../store/state-of.ts'
import { deliveries } from './deliveries.ts'
import { releasing } from './digesting.ts'
import type { RunningApp } from './running-app.ts'
import type { AppEnvironment, SharedServices } from './shared-services.ts'

interface ServingParts {
  config: Config
  environment: AppEnvironment
  reloadable: RunningApp
  /** What works, for whoever asks. */
  ready(): Promise<Readiness>
  /** Adds the ways in for what people do in a chat. */
  chat(routes: IRouter): void
}

/** Rejects never: a store that cannot be written is one of the answers. */
export function readinessOf(
  { store, incidents }: SharedServices,
  { reloadable, probe }: Pick<ServingParts, 'reloadable'> & { probe(): Promise<void> },
): Promise<Readiness> {
  return readiness({
    probe,
    backlog: () => store.backlog(),
    held: () => store.held(),
    troubles: incidents.current,
    subscription: reloadable.subscription,
    polling: () => reloadable.polling()?.status(),
    channels: reloadable.current().channels,
  })
}

/** The way in for deliveries, and what operators look at. Rejects with `CannotListen`. */
export async function serveHttp(services: SharedServices, parts: ServingParts): Promise<Serving> {
  const { store, clock, log, metrics } = services
  const { config, environment, reloadable, ready, chat } = parts
  const forms = await recallForms({
    ...stateOf(store, 'signatures'),
    onError: (error) => log.error({ error }, 'the signature form could not be remembered'),
  })
  return startServer({
    ...config.server,
    sharedPath: sharedPathOf(config),
    webhook: deliveries(services, { path: config.webhook.path, reloadable, forms }),
    chat,
    unsubscribing: unsubscribing({
      readers: services.readers,
      contact() {
        const { email } = reloadable.current().config
        return (email?.replyTo ?? email?.from)?.address
      },
      language: (channel) =>
        reloadable.current().config.channels.find(({ name }) => name === channel)?.language,
      onError: (error) => log.error({ error }, 'while somebody unsubscribed'),
    }),
    metrics,
    clock,
    listen: environment.listen,
    ready,
    onError: (error) => log.error({ error }, 'while answering'),
  })
}

function sharedPathOf({ console }: Config): string | undefined {
  return console === undefined || ownListener(console) !== undefined ? undefined : consolePath(console)
}

/** What commands beside this process ask it; they ask a database themselves. Answers what ends it. */
export async function serveCommands(
  services: SharedServices,
  {
    environment,
    place,
    reloadable,
    ready,
  }: Pick<ServingParts, 'environment' | 'reloadable' | 'ready'> & { place: StorePlace },
): Promise<() => Promise<void>> {
  if (place.is === 'database') return async () => {}
  return await environment.serveControl(place.folder, { ...controlOf(services, reloadable), ready })
}

/** What people ask of this process, by commands beside it and in the console. */
export function controlOf(services: SharedServices, reloadable: RunningApp): Control {
  const { store, acts, clock } = services
  return localControl({
    store,
    now: clock.now,
    channels: () => reloadable.current().channels.map(({ name }) => name),
    running: true,
    owe: (eventId, channel) => reloadable.replay(eventId, channel),
    resting: () => reloadable.backingOff(),
    acts,
    sendings: createSendings({ now: clock.now, take: (act) => reloadable.take(act) }),
    sendHeld: (act) => sendHeld(act, releasing(services, reloadable)),
    tokens: tokensOf(services),
    close: async () => {},
  })
}

/** By which programs read what the console shows. */
export function tokensOf({
  store,
  settings,
  clock,
  log,
}: Pick<SharedServices, 'store' | 'settings' | 'clock' | 'log'>): ConsoleTokens {
  return openTokens({
    settings,
    uses: stateOf(store, 'token-uses'),
    now: clock.now,
    onError: (error) => log.error({ error }, 'the use of a token could not be noted'),
  })
}
