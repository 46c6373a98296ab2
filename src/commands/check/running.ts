import { once } from 'node:events'
import { createServer } from 'node:net'
import type { CheckRow } from '../../channels/channel.ts'
import { consolePath, ownListener } from '../../config/console.ts'
import type { Config } from '../../config/schema.ts'
import { callbackPath } from '../../console/access/oidc/pending-sign-in.ts'
import { discover, NotSignedIn } from '../../console/access/oidc/provider.ts'
import { exchange, NoAnswer } from '../../platform/outbound/exchange.ts'
import { counted, listed } from '../../platform/text.ts'
import { errorCode } from '../../platform/unknown.ts'
import { storePlace } from '../../store/place.ts'
import { askAddress } from './deliveries.ts'
import { fail, ok, warn } from './row.ts'
import type { StoreContents } from './store.ts'

interface ListenAddress {
  host: string
  port: number
  /** The key of the configuration that names the port. */
  setting: string
}

/** Whether `serve` runs, and whether it listens on its port, or could. */
export async function* checkRunning(
  config: Config,
  kept: Promise<StoreContents | undefined>,
): AsyncGenerator<CheckRow, void> {
  const contents = await kept
  if (contents?.isRunning === true) yield ok('running', 'yes')
  else if (contents?.isNew === true)
    yield ok('running', 'not running yet; start it with: npx bluepencil serve')
  else
    yield warn(
      'running',
      'not running: nothing is received, polled or sent',
      'start it: npx bluepencil serve',
    )
  const { host, port, basePath } = config.server
  const place = { host, port, setting: 'server.port' }
  const answersAsOurs = async () => {
    const { by } = await askAddress(`${originOf(place)}${basePath}${config.webhook.path}`)
    return by === 'bluepencil'
  }
  yield* checkPort(place, config, { contents, answersAsOurs })
}

/** Whether the console is served, or could be, and who may use it. */
export async function* checkConsole(
  config: Config,
  kept: Promise<StoreContents | undefined>,
): AsyncGenerator<CheckRow, void> {
  const { console } = config
  if (console === undefined) return
  const listener = ownListener(console)
  if (listener === undefined) yield ok('port', 'that of server, behind its proxy')
  else {
    const place = { ...listener, setting: 'console.listen.port' }
    const answersAsOurs = () => answers(`${originOf(place)}${consolePath(console)}`)
    yield* checkPort(place, config, { contents: await kept, answersAsOurs })
  }
  const { users, oidc, proxy } = console
  const ways = [
    ...(users === undefined ? [] : [counted(users.length, 'user')]),
    ...(oidc === undefined ? [] : ['accounts of the OpenID provider']),
    ...(proxy === undefined ? [] : ['names that the proxy sends']),
  ]
  yield ok('people', ways.join(', ') || 'no sign-in: it can be reached only from this machine')
  yield* checkSignIn(config)
}

interface Listener {
  contents: StoreContents | undefined
  /** Whether what listens there is what should. */
  answersAsOurs(): Promise<boolean>
}

async function* checkPort(
  place: ListenAddress,
  { store }: Config,
  { contents, answersAsOurs }: Listener,
): AsyncGenerator<CheckRow, void> {
  if (place.port === 0) return
  const at = `${place.host} port ${place.port}`
  const why = await whyNotListening(place)
  if (why === undefined) {
    // Processes on a database may all be on other machines.
    const isExpected = contents?.isRunning === true && storePlace(store).is === 'folder'
    yield isExpected
      ? warn(
          'port',
          `the running service does not listen on ${at}`,
          'restart serve: a new port needs a restart',
        )
      : ok('port', `${at} is free`)
  } else if (why !== 'EADDRINUSE') {
    yield fail('port', `cannot listen on ${at} (${why})`, `set ${place.setting}`)
  } else if (contents?.isRunning === true && (await answersAsOurs())) {
    yield ok('port', `the running service listens on ${at}`)
  } else {
    yield fail('port', `another program listens on ${at}`, `set ${place.setting}, or end that program`)
  }
}

/** Undefined if it could. */
async function whyNotListening({ host, port }: ListenAddress): Promise<string | undefined> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return undefined
  } catch (error) {
    return errorCode(error) ?? 'unknown'
  } finally {
    server.close()
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    await exchange(url, {}, { timeoutMs: 10_000, mostBytes: 1024 * 1024, mostValues: 1_000 })
    return true
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    return false
  }
}

function originOf({ host, port }: ListenAddress): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** Where everybody in the world can have an account. */
const openToAll = [
  'accounts.google.com',
  'login.microsoftonline.com/common',
  'login.microsoftonline.com/consumers',
]

/** Whether people could sign in to the console with an account of the OpenID provider; nobody is signed in. */
export async function* checkSignIn({ console }: Config): AsyncGenerator<CheckRow, void> {
  const oidc = console?.oidc
  if (console === undefined || oidc === undefined) return
  const what = 'sign-in'
  try {
    const server = await discover(oidc.issuer)
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const lacks = [
      ...(server.response_types_supported?.includes('code') === false ? ['the response type code'] : []),
      ...(['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const).filter((one) => !server[one]),
      ...(methods.some((one) => ['client_secret_basic', 'client_secret_post'].includes(one))
        ? []
        : ['client_secret_basic and client_secret_post']),
    ]
    if (lacks.length > 0)
      yield fail(what, `${oidc.issuer} does not have ${listed(lacks, 'and')}, which is needed`)
    else yield ok(what, `${oidc.issuer} can be asked`)
    const offered = server.scopes_supported
    const unknown = oidc.scopes.filter((scope) => offered?.includes(scope) === false)
    if (unknown.length > 0) {
      yield warn(
        what,
        `${oidc.issuer} does not name the scope ${listed(unknown, 'or')} (console.oidc.scopes)`,
      )
    }
  } catch (error) {
    if (!(error instanceof NotSignedIn)) throw error
    yield notDiscovered(oidc.issuer, error)
  }
  yield ok(what, `people are sent back to ${callbackOf(console)}, which must be registered there`)
  const { host, pathname } = new URL(oidc.issuer)
  if (oidc.roles.anyone !== undefined && openToAll.some((one) => `${host}${pathname}`.startsWith(one))) {
    const hint = 'write console.oidc.roles.emails, with @ and a domain, or groups'
    yield warn(
      what,
      `anyone can have an account at ${host}, and has the role ${oidc.roles.anyone} here`,
      hint,
    )
  }
}

function notDiscovered(issuer: string, { why, codes }: NotSignedIn): CheckRow {
  const what = 'sign-in'
  const document = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  if (why === 'away') return fail(what, `${document} could not be read: ${codes}`)
  return codes?.startsWith('OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')
    ? fail(
        what,
        `the provider at ${issuer} calls itself otherwise`,
        `write console.oidc.issuer as it stands under "issuer" in ${document}, a slash at its end included`,
      )
    : fail(what, `${document} is not what an OpenID provider says of itself: ${codes}`)
}

function callbackOf(console: NonNullable<Config['console']>): string {
  const { publicUrl, listen } = console
  const origin = publicUrl === undefined ? `http://localhost:${listen.port}` : new URL(publicUrl).origin
  return `${origin}${consolePath(console)}${callbackPath}`
}
