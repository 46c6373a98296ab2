import type { IRouter } from 'express'
import { consolePath, ownListener } from '../config/console.ts'
import type { Config } from '../config/schema.ts'
import { recallForms, type SignatureForms } from '../intake/receive/keyring.ts'
import { type ReceivedDelivery, webhook } from '../intake/receive/webhook.ts'
import type { Readiness } from '../operators/readiness.ts'
import type { SetupKeys } from '../people/converse/setup-key.ts'
import { unsubscribing } from '../people/readers/routes.ts'
import { probeAnswer, probeHeader } from '../platform/server/probe.ts'
import { type Serving, startServer } from '../platform/server/server.ts'
import { stateOf } from '../store/store.ts'
import { setupKeysOf } from './control.ts'
import type { AppEnvironment } from './environment.ts'
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
