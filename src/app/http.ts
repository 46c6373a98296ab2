import type { IRouter } from 'express'
import { consolePath, ownListener } from '../config/console.ts'
import type { Config } from '../config/schema.ts'
import { sendHeld } from '../decide/digest/release.ts'
import { recallForms, type SignatureForms } from '../intake/receive/keyring.ts'
import { type ReceivedDelivery, webhook } from '../intake/receive/webhook.ts'
import type { Readiness } from '../operators/readiness.ts'
import { type Control, localControl } from '../people/control/control.ts'
import { createSendings } from '../people/converse/acts.ts'
import { createSetupKeys, type SetupKeys } from '../people/converse/setup-key.ts'
import { type ConsoleTokens, openTokens } from '../people/converse/tokens.ts'
import { type HourlyUses, hourlyUses } from '../people/converse/uses.ts'
import { unsubscribing } from '../people/readers/routes.ts'
import { type Clock, within } from '../platform/clock.ts'
import { probeAnswer, probeHeader } from '../platform/server/probe.ts'
import { type Serving, startServer } from '../platform/server/server.ts'
import { stateOf } from '../store/state-of.ts'
import { type Store, StoreUnavailable } from '../store/store.ts'
import type { AppEnvironment } from './environment.ts'
import { releasePartsOf } from './reports.ts'
import type { RunningApp } from './running-app.ts'
import type { SharedServices } from './services.ts'

interface HttpParts {
  config: Config
  environment: Pick<AppEnvironment, 'listen'>
  running: RunningApp
  ready(): Promise<Readiness>
  /** Adds the routes for what people do in a chat. */
  chat(routes: IRouter): void
}

/** The webhook and the pages for operators. Rejects with `CannotListen`. */
export async function serveHttp(services: SharedServices, parts: HttpParts): Promise<Serving> {
  const { store, clock, log, metrics, readers } = services
  const { config, environment, running, ready, chat } = parts
  const effective = () => running.current().config
  const forms = await recallForms({
    ...stateOf(store, 'signatures'),
    onError: (error) => log.error({ error }, 'the signature format could not be stored'),
  })
  return startServer({
    ...config.server,
    sharedPath: sharedPathOf(config),
    webhook(routes) {
      probeRoute(setupKeysOf(services), config.webhook.path)(routes)
      deliveryRoute(services, { path: config.webhook.path, running, forms })(routes)
    },
    chat,
    unsubscribing: unsubscribing({
      readers,
      contact() {
        const { email } = effective()
        return (email?.replyTo ?? email?.from)?.address
      },
      language: (channel) => effective().channels.find(({ name }) => name === channel)?.language,
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

/** An accepted event has a line with its outcomes. What strangers send is no news. */
const levelOf: Record<Exclude<ReceivedDelivery['outcome'], 'duplicate'>, 'debug' | 'error'> = {
  accepted: 'debug',
  unsigned: 'debug',
  forged: 'debug',
  too_large: 'debug',
  too_slow: 'debug',
  broken: 'debug',
  no_secret: 'debug',
  not_stored: 'error',
  failed: 'error',
}

/** The webhook by the effective configuration; each delivery is counted, logged and watched. */
function deliveryRoute(
  { clock, metrics, log, deliveryLines, alarms, contact }: SharedServices,
  { path, running, forms }: { path: string; running: RunningApp; forms: SignatureForms },
): (routes: IRouter) => void {
  return webhook({
    path,
    secrets: running.secrets,
    get pinned() {
      return running.current().config.webhook.signature
    },
    remembered: forms.get,
    remember: forms.set,
    accept(event) {
      contact.noted()
      running.delivered(event)
      return running.accept(event)
    },
    clock,
    onReceived({ outcome, eventId, milliseconds, error }) {
      metrics.received(outcome, milliseconds)
      const fields = () => ({ event: eventId, outcome, milliseconds, error })
      if (outcome === 'duplicate') deliveryLines.write(outcome, 'delivery', fields)
      else log[levelOf[outcome]](fields(), 'delivery')
      alarms.received(outcome, eventId)
      running.polling()?.refused(outcome)
    },
  })
}

/** What people ask of this process, by commands beside it and in the console. */
export function controlOf(services: SharedServices, running: RunningApp): Control {
  const { store, acts, clock } = services
  return localControl({
    store,
    now: clock.now,
    channels: () => running.current().channels.map(({ name }) => name),
    running: true,
    makePending: (eventId, channel) => running.replay(eventId, channel),
    resting: () => running.backingOff(),
    acts,
    sendings: createSendings({ now: clock.now, accept: (act) => running.accept(act) }),
    sendHeld: (act) => sendHeld(act, releasePartsOf(services, running)),
    tokens: tokensOf(services),
    close: async () => {},
  })
}

/** Tokens of programs that read what the console shows. */
export function tokensOf({ store, settings, clock, log }: SharedServices): ConsoleTokens {
  return openTokens({ settings, uses: usesOf({ store, clock, log }), now: clock.now })
}

/** When tokens, and people's own feed addresses, were last used. */
export function usesOf({ store, clock, log }: Pick<SharedServices, 'store' | 'clock' | 'log'>): HourlyUses {
  return hourlyUses({
    stored: stateOf(store, 'token-uses'),
    now: clock.now,
    onError: (error) => log.error({ error }, 'the use of a token could not be recorded'),
  })
}

/** Keys that work once, the same for all processes. */
export function setupKeysOf({ store, clock }: Pick<SharedServices, 'store' | 'clock'>): SetupKeys {
  return createSetupKeys({ state: stateOf(store, 'setup'), now: clock.now })
}

/** Answers who asks whether our address leads here: what only a process on this store can. */
function probeRoute(setup: Pick<SetupKeys, 'probeKey'>, path: string): (routes: IRouter) => void {
  return (routes) =>
    routes.post(path, async (request, response, next) => {
      const nonce = request.headers[probeHeader]
      if (typeof nonce !== 'string') return next()
      request.resume()
      response.type('text').send(probeAnswer(nonce, await setup.probeKey()))
    })
}

/** However often somebody asks, the disk is probed once in so many milliseconds. */
const probeMs = 1_000
/** A page waits for so long. */
const patienceMs = 150
/** A slow disk may take this long over a write. */
const longestWriteMs = 10_000

/** Whether an event can be stored: its functions reject with `StoreUnavailable` if not. */
export function createStoreProbe(store: Pick<Store, 'probe'>, clock: Clock) {
  let last: Promise<void> | undefined
  let latest: { at: number; answer: Promise<void>; isPending: boolean } | undefined

  function begin() {
    const begun = { at: clock.now(), answer: store.probe(), isPending: true }
    const ended = () => {
      begun.isPending = false
      last = begun.answer
    }
    begun.answer.then(ended, ended)
    return begun
  }

  function current() {
    const isNew = latest !== undefined && (latest.isPending || Math.abs(clock.now() - latest.at) < probeMs)
    if (latest === undefined || !isNew) latest = begin()
    return latest
  }

  return {
    /** Waits for the disk. */
    ended: () => current().answer,
    /** For a page, which waits for no disk: while a write is slow, the result of the last one counts. */
    async now(): Promise<void> {
      const write = current()
      if (last !== undefined) await within(clock, patienceMs, write.answer)
      if (!write.isPending || last === undefined) return await write.answer
      const forMs = clock.now() - write.at
      if (forMs < longestWriteMs) return await last
      throw new StoreUnavailable(`a write has been running for ${Math.round(forMs / 1_000)} s`)
    },
  }
}
