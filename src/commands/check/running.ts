import { once } from 'node:events'
import { createServer } from 'node:net'
import type { CheckRow } from '../../channels/channel.ts'
import { consolePath, ownListener } from '../../config/console.ts'
import type { Config } from '../../config/schema.ts'
import { exchange, NoAnswer } from '../../platform/outbound/exchange.ts'
import { counted } from '../../platform/text.ts'
import { storePlace } from '../../store/place.ts'
import { askAddress } from './public-address.ts'
import { fail, ok, warn } from './row.ts'
import { checkSignIn } from './sign-in.ts'
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
  const known = await kept
  if (known?.isRunning === true) yield ok('running', 'yes')
  else if (known?.isNew === true) yield ok('running', 'not yet; npx bluepencil serve starts it')
  else yield warn('running', 'no: nothing is received, polled or sent', 'start it: npx bluepencil serve')
  const { host, port, basePath } = config.server
  const place = { host, port, setting: 'server.port' }
  const answersAsOurs = async () => {
    const { by } = await askAddress(`${originOf(place)}${basePath}${config.webhook.path}`)
    return by === 'bluepencil'
  }
  yield* checkPort(place, config, { known, answersAsOurs })
}

/** Whether the console is served, or could be, and who may use it. */
export async function* checkConsole(
  config: Config,
  kept: Promise<StoreContents | undefined>,
): AsyncGenerator<CheckRow, void> {
  const { console } = config
  if (console === undefined) return
  const own = ownListener(console)
  if (own === undefined) yield ok('port', 'that of server, behind its proxy')
  else {
    const place = { ...own, setting: 'console.listen.port' }
    const answersAsOurs = () => answers(`${originOf(place)}${consolePath(console)}`)
    yield* checkPort(place, config, { known: await kept, answersAsOurs })
  }
  const { users, oidc, proxy } = console
  const ways = [
    ...(users === undefined ? [] : [counted(users.length, 'user')]),
    ...(oidc === undefined ? [] : ['accounts of the OpenID provider']),
    ...(proxy === undefined ? [] : ['names that the proxy sends']),
  ]
  yield ok('people', ways.join(', ') || 'nobody has to sign in: it answers at this machine alone')
  yield* checkSignIn(config)
}

interface Listener {
  known: StoreContents | undefined
  /** Whether what listens there is what should. */
  answersAsOurs(): Promise<boolean>
}

async function* checkPort(
  place: ListenAddress,
  { store }: Config,
  { known, answersAsOurs }: Listener,
): AsyncGenerator<CheckRow, void> {
  if (place.port === 0) return
  const at = `${place.host} port ${place.port}`
  const why = await whyNotListening(place)
  if (why === undefined) {
    // Processes on a database may all be on other machines.
    const isExpected = known?.isRunning === true && storePlace(store).is === 'folder'
    yield isExpected
      ? warn('port', `the running service does not listen on ${at}`, 'restart serve: another port needs that')
      : ok('port', `${at} is free`)
  } else if (why !== 'EADDRINUSE') {
    yield fail('port', `cannot listen on ${at} (${why})`, `set ${place.setting}`)
  } else if (known?.isRunning === true && (await answersAsOurs())) {
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
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
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
