import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import { type Clock, systemClock } from '../../platform/clock.ts'
import { Access } from './access.ts'
import { sandboxStarted } from './announcements.ts'
import { Deliveries, type DeliveryAttempt } from './deliveries.ts'
import { ServiceDialect } from './dialect.ts'
import { DownloadLinks } from './download-links.ts'
import { Events, type FiredEvent, type FireRequest } from './events.ts'
import { listen, originOf, portOf } from './listen.ts'
import { letTimePass } from './passage.ts'
import { Requests } from './requests.ts'
import { createService } from './service.ts'
import { Subscriptions } from './subscriptions.ts'
import { Tokens } from './tokens.ts'
import { World } from './world.ts'

export interface SandboxOptions {
  /** 0 for any that is free. */
  port: number
  /** 127.0.0.1 unless given. The control surface asks for no key: open it to no network that is not trusted. */
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
 * Throws `CannotListen`, and `RangeError` for a speed below 0.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { port, host = '127.0.0.1', seed, speed = 0, clock = systemClock, random = randomBytes } = options
  if (!(speed >= 0 && speed < Infinity)) throw new RangeError('The speed must be 0 or more.')
  const dialect = ServiceDialect.parse(options.dialect ?? {})
  const world = new World(seed, clock.now())
  const subscriptions = new Subscriptions(random, dialect['further-states'])
  const deliveries = new Deliveries(clock, dialect, options.onDelivery ?? (() => {}))
  const events = new Events({ clock, random, world, subscriptions, deliveries, dialect })

  const tokens = new Tokens(random, dialect['refresh-token'])

  const app = createService(world, clock, {
    events,
    deliveries,
    subscriptions,
    requests: new Requests(clock),
    tokens,
    access: new Access(tokens, clock, dialect['read-scopes']),
    links: new DownloadLinks(clock, random),
    clock,
    seed,
    speed,
    dialect,
  })
  const server = await listen(app, port, host)
  sandboxStarted.publish({ server, dialect })
  const closing = new AbortController()
  const change = (at: number) => events.fire({}, at)
  const passage = letTimePass(world, { clock, speed, change, signal: closing.signal })

  const origin = originOf(host, portOf(server))
  return {
    url: `${origin}/v1`,
    origin,
    port: portOf(server),
    fire: (event) => events.fire(event),
    deliveries: () => deliveries.log(),
    async close() {
      closing.abort()
      await Promise.all([passage, deliveries.close(), stop(server)])
    },
  }
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
