import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type Clock, systemClock } from '../../platform/clock.ts'
import { createAccess, createTokens } from './access.ts'
import { createDeliveries, type DeliveryAttempt } from './deliveries.ts'
import { ServiceDialect } from './dialect.ts'
import { createDownloadLinks } from './download.ts'
import { createEvents, type FiredEvent, type FireRequest } from './events.ts'
import { createRequestLog } from './requests.ts'
import { createService } from './service.ts'
import { createSubscriptions } from './subscriptions.ts'
import { letTimePass, World } from './world.ts'

export interface SandboxOptions {
  /** 0 for any that is free. */
  port: number
  /** 127.0.0.1 unless given. The controls ask for no key: open them to no network that is not trusted. */
  host?: string
  /** The same seed gives the same numbers and the same changes. Ids and secrets are always new. */
  seed: number
  /** The world's days in one real day, with about one event each. 0, the default, stops its time. */
  speed?: number
  dialect?: Partial<ServiceDialect>
  clock?: Clock
  /** Bytes for ids and secrets; the system's randomness unless given. */
  random?: (bytes: number) => Buffer
  /** Called after each try to deliver. */
  onDelivery?: (attempt: DeliveryAttempt) => void
}

export interface Sandbox {
  /** The base address of the service, which ends in /v1. */
  url: string
  origin: string
  port: number
  /** Fires an event as `POST /_sandbox/events` does. */
  fire(event: FireRequest): FiredEvent
  /** The tries to deliver, oldest first. */
  deliveries(): readonly DeliveryAttempt[]
  /** Ends everything that is under way. */
  close(): Promise<void>
}

/**
 * Starts a monitoring service that keeps to the interface specification, for trying things out and for tests.
 * Throws `SandboxCannotListen`, and `RangeError` for a speed below 0.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { host = '127.0.0.1', seed, speed = 0, clock = systemClock, random = randomBytes } = options
  if (!(speed >= 0 && speed < Infinity)) throw new RangeError('The speed must be 0 or more.')
  const dialect = ServiceDialect.parse(options.dialect ?? {})
  const world = new World(seed, clock.now())
  const subscriptions = createSubscriptions(random, dialect)
  const deliveries = createDeliveries(clock, dialect, options.onDelivery ?? (() => {}))
  const events = createEvents({ clock, random, world, subscriptions, deliveries, dialect })
  const tokens = createTokens(random, dialect)
  const access = createAccess(tokens, clock, dialect)
  const app = createService({
    world,
    events,
    deliveries,
    subscriptions,
    requests: createRequestLog(clock, access),
    tokens,
    access,
    links: createDownloadLinks(clock, random),
    clock,
    seed,
    speed,
    dialect,
  })
  const server = await listen(app, options.port, host)
  const closing = new AbortController()
  const change = (at: number) => events.fire({}, at)
  const passage = letTimePass(world, { clock, speed, change, signal: closing.signal })
  const port = portOf(server)
  const origin = originOf(host, port)
  return {
    url: `${origin}/v1`,
    origin,
    port,
    fire: (event) => events.fire(event),
    deliveries: deliveries.log,
    async close() {
      closing.abort()
      const stopped = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await Promise.all([passage, deliveries.close(), stopped])
    },
  }
}

/** The sandbox cannot listen at this address; the message is one sentence that says what to do. */
export class SandboxCannotListen extends Error {
  override readonly name = 'SandboxCannotListen'
}

/** Longer than a client keeps an idle connection: else a request on a busy machine meets one that is just being closed. */
const keepAliveTimeout = 65_000

/** Resolves when it accepts connections. Throws `SandboxCannotListen`. */
async function listen(app: RequestListener, port: number, host: string): Promise<Server> {
  const server = createServer({ keepAliveTimeout }, app)
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    throw new SandboxCannotListen(cannotListen(error, port, host), { cause: error })
  }
  return server
}

/** `http://host:port` as this machine can reach it. */
function originOf(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The chosen port, or that of the system for 0. */
function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The server has no port.')
  return address.port
}

function cannotListen(error: unknown, port: number, host: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use; choose another, or 0 for any that is free.`
    case 'EACCES':
      return `Port ${port} on ${host} may not be opened by this user; choose one above 1023.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine; 127.0.0.1 always is.`
    case 'ERR_SOCKET_BAD_PORT':
      return `${port} is not a port; choose one from 1 to 65535, or 0 for any that is free.`
    default:
      return `The sandbox cannot listen on ${host}, port ${port}: ${error instanceof Error ? error.message : String(error)}.`
  }
}
