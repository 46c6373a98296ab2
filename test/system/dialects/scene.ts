import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import type { Clock } from '../../../src/platform/clock.ts'
import {
  MonitorClient,
  type MonitorClientOptions,
  type MonitorError,
} from '../../../src/service/client/client.ts'
import { dialectKeys, ServiceDialect } from '../../../src/service/sandbox/dialect.ts'
import { type Sandbox, startSandbox } from '../../../src/service/sandbox/sandbox.ts'
import { World } from '../../../src/service/sandbox/world.ts'
import { createManualClock, type ManualClock } from '../../support/fakes/manual-clock.ts'
import type { Case, Dimension } from './covering.ts'
import { type CuttingFetch, cuttingFetch } from './cutting-fetch.ts'

/** Ten minutes and a quarter of a second past the hour, so that a time to wait has a fraction. */
const start = Date.parse('2026-03-01T09:10:00.250Z')

/** What the service may answer in many ways, and the two ways in which the client says who it is. */
export const dimensions: readonly Dimension[] = [
  ...dialectKeys(),
  { key: 'credential', values: ['key', 'oauth'] },
]

/** Whose rights and limit a client has: those of one of the sandbox's keys, or of a key that there is not. */
type Who = 'free' | 'readonly' | 'nobody'

export interface Scene {
  dialect: ServiceDialect
  sandbox: Sandbox
  clock: ManualClock
  /** The sandbox's own, made a second time. */
  world: World
  cutting: CuttingFetch
  /** Under which name the sandbox counts its requests. */
  keyOf(who: Who): string
  clientOf(who: Who, tries?: number): MonitorClient
  /** Resolves when so many deliveries were tried. */
  delivered(count: number): Promise<void>
}

export function dialectOf(chosen: Case): ServiceDialect {
  const { credential: _, ...answers } = chosen
  return ServiceDialect.parse(answers)
}

/** A sandbox that speaks as the case says, and who asks it. To be closed. */
export async function openScene(chosen: Case, seed: number): Promise<Scene> {
  const dialect = dialectOf(chosen)
  const clock = createManualClock(start)
  const deliveries = new EventEmitter()
  const onDelivery = () => void deliveries.emit('tried')
  const sandbox = await startSandbox({ port: 0, seed, dialect, clock, onDelivery })
  const cutting = cuttingFetch()
  const oauth = chosen.credential === 'oauth'
  const keyOf = (who: Who) => (oauth ? `sandbox-client-${who}` : `sandbox-${who}`)
  return {
    dialect,
    sandbox,
    clock,
    world: new World(seed, start),
    cutting,
    keyOf,
    clientOf: (who, tries = 3) =>
      new MonitorClient({
        baseUrl: sandbox.url,
        ...(oauth ? oauthOf(who, sandbox, dialect) : { apiKey: keyOf(who) }),
        clock: goingOn(clock),
        fetch: cutting.fetch,
        tries,
      }),
    async delivered(count) {
      while (sandbox.deliveries().length < count) await once(deliveries, 'tried')
    },
  }
}

/** Rejects with `AssertionError` unless the call fails with this class and status. */
export async function fails(
  call: Promise<unknown>,
  meaning: new (...given: never[]) => MonitorError,
  status: number,
): Promise<void> {
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof meaning, `${String(error)} is no ${meaning.name}`)
    assert.equal(error.status, status)
    return true
  })
}

/** For who waits, the time goes on at once. */
function goingOn(clock: ManualClock): Clock {
  return { now: () => clock.now(), sleep: (milliseconds) => clock.advance(milliseconds) }
}

function oauthOf(who: Who, sandbox: Sandbox, dialect: ServiceDialect): Pick<MonitorClientOptions, 'oauth'> {
  const reading = ['monitoring.read', 'research.read']
  const whole = dialect['read-scopes'] === 'needed' ? [...reading, 'webhooks.write'] : undefined
  const clientId = `sandbox-client-${who}`
  return {
    oauth: {
      tokenUrl: `${sandbox.origin}/oauth/token`,
      clientId,
      clientSecret: `${clientId}-secret`,
      scopes: who === 'readonly' ? reading : whole,
    },
  }
}
