import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as realTime } from 'node:timers/promises'
import { onTestFinished, vi } from 'vitest'
import * as z from 'zod'
import type { AlertEvent } from '../../../src/event/event.ts'
import { connectControl } from '../../../src/people/control/connect.ts'
import { type Sandbox, startSandbox } from '../../../src/service/sandbox/sandbox.ts'
import type { StoredEntry } from '../../../src/store/store.ts'
import { configOf, openApp } from '../../support/app.ts'
import { createManualClock, type ManualClock } from '../../support/fakes/manual-clock.ts'
import { secret, signed } from '../../support/fakes/signed.ts'
import { freePort } from '../../support/free-port.ts'
import { minuteMs, start } from './desk.ts'

const Ready = z.object({
  status: z.string(),
  subscription: z.object({ state: z.string() }),
  polling: z.object({
    mode: z.string(),
    // Where polling is off there is no more to say.
    reason: z.string().default(''),
    lastLook: z.string().nullable().default(null),
    nextLook: z.string().nullable().default(null),
  }),
})
const Subscriptions = z.array(z.unknown())
const Requests = z.object({ mostInAnHour: z.record(z.string(), z.number()) })

type Alert = StoredEntry & { entry: AlertEvent }

/** The whole program and the sandbox, on one clock that the test moves; sockets and the store are real. */
export async function openNewsroom({
  publicUrl,
  polling = {},
  models = ['claude'],
  before = async () => {},
  store,
}: {
  publicUrl: boolean
  polling?: object
  /** The models that are polled: to learn five takes five times as long as to learn one. */
  models?: string[]
  /** Another store than a folder of its own; alerts are then not read. */
  store?: string
  /** What happens before the program first reads the figures. */
  before?: (sandbox: Sandbox, clock: ManualClock) => Promise<void>
}) {
  const folder = await mkdtemp(join(tmpdir(), 'bluepencil-poll-'))
  // For commands beside it.
  const configFile = join(folder, 'commands.yaml')
  const clock = createManualClock(start)
  const asking = new Set<Promise<unknown>>()
  const ask = globalThis.fetch
  // The client takes the fetch that is there when it is made; the test sees by it what is under way.
  vi.stubGlobal('fetch', async (...asked: Parameters<typeof fetch>) => {
    const answered = ask(...asked).then(async (response) => {
      const text = await response.text()
      return new Response(response.status === 204 ? null : text, response)
    })
    asking.add(answered)
    return await answered.finally(() => asking.delete(answered))
  })
  const sandbox = await startSandbox({ port: 0, seed: 7, clock })
  await before(sandbox, clock)
  const port = await freePort()
  const ofAll = configOf([{ name: 'desk', type: 'console' }], {
    monitor: { baseUrl: sandbox.url, apiKey: 'sandbox-free' },
    webhook: publicUrl ? { publicUrl: `http://127.0.0.1:${port}` } : { secrets: [secret] },
    polling,
    server: { host: '127.0.0.1', port },
    store: store ?? `file:${folder}`,
    log: 'debug',
  })
  const config = { ...ofAll, channels: ofAll.channels.map((channel) => ({ ...channel, models })) }
  await writeFile(
    configFile,
    `store: ${store ?? `file:${folder}`}\nwebhook: { secrets: [${secret}] }\nchannels: [{ name: desk, type: console }]\n`,
  )
  let accepted = false
  let looks = 0
  let decisions = 0
  const opened = openApp({
    clock,
    writeLog(line) {
      accepted ||= line.includes('"outcomes"')
      if (line.includes('"poll of the figures"')) looks += 1
      if (line.includes('"message":"polling"')) decisions += 1
    },
  })
  let app = await opened.start(config)
  await begun()
  onTestFinished(async () => {
    await app.stop()
    await sandbox.close()
    vi.unstubAllGlobals()
    await rm(folder, { recursive: true, force: true })
  })

  async function readyz() {
    return Ready.parse(await (await ask(`http://127.0.0.1:${port}/readyz`)).json())
  }

  async function begun(): Promise<void> {
    const state = publicUrl ? 'active' : 'not configured'
    const isThere = async () => {
      const ready = await readyz()
      return (
        ready.subscription.state === state && (config.polling.mode === 'off' || ready.polling.mode !== 'off')
      )
    }
    await vi.waitUntil(isThere, { interval: 5, timeout: 30_000 })
  }

  async function entries(): Promise<StoredEntry[]> {
    const control = await connectControl(folder)
    if (control === undefined) throw new Error('nothing is running')
    try {
      return (await control.events({ limit: 500 })).toReversed()
    } finally {
      await control.close()
    }
  }

  /** Ends when no request and no message is under way. What is pending is read in the process that accepted the event. */
  async function idle(): Promise<void> {
    // A slow disk is waited for longer and longer, so that little time passes meanwhile.
    for (let waitMs = 2; ; waitMs = Math.min(2 * waitMs, 100)) {
      await Promise.allSettled(asking)
      await clock.advance(0)
      if (asking.size > 0) continue
      if (!accepted) return
      const isOwed = (await entries()).some(({ outcomes }) =>
        Object.values(outcomes).some(({ state }) => state === 'waiting'),
      )
      if (!isOwed && asking.size === 0) {
        accepted = false
        return
      }
      await realTime(waitMs)
      await clock.advance(250)
    }
  }

  return {
    clock,
    configFile,
    sandbox,
    shown: opened.shown,
    log: opened.log,
    readyz,
    async metrics(): Promise<string> {
      return await (await ask(`http://127.0.0.1:${port}/metrics`)).text()
    },
    entries,
    /** Alerts in the order in which they came, without what only confirms one. */
    async alerts(): Promise<Alert[]> {
      return (await entries()).flatMap(({ entry, ...rest }) =>
        entry.kind === 'alert' && entry.confirms === undefined ? [{ ...rest, entry }] : [],
      )
    },
    async fire(change: Parameters<typeof sandbox.fire>[0]): Promise<string> {
      // The first poll reads a year. A change that comes meanwhile would be found by it, before it is delivered.
      if (config.polling.mode !== 'off' && clock.now() > start) {
        await vi.waitUntil(() => looks > 0, { interval: 5, timeout: 30_000 })
      }
      const { id, deliveries } = sandbox.fire(change)
      const tries = () => sandbox.deliveries().filter(({ eventId }) => eventId === id)
      await vi.waitUntil(() => tries().length >= deliveries, { interval: 2, timeout: 30_000 })
      await idle()
      return id
    },
    /** A delivery of a subscription that was made by hand. */
    async deliver(body: string): Promise<number> {
      const { status } = await ask(`http://127.0.0.1:${port}/webhook`, {
        method: 'POST',
        headers: signed(body),
        body,
      })
      await idle()
      return status
    },
    async control(method: string, path: string, body?: unknown): Promise<unknown> {
      const headers = { 'content-type': 'application/json' }
      const response = await ask(`${sandbox.origin}/_sandbox${path}`, {
        method,
        ...(body === undefined ? {} : { headers, body: JSON.stringify(body) }),
      })
      return await response.json()
    },
    /** Those that the service has. */
    async subscriptions(): Promise<unknown[]> {
      const headers = { authorization: 'Bearer sandbox-free' }
      const answer: unknown = await (await ask(`${sandbox.url}/webhooks`, { headers })).json()
      return Subscriptions.parse(answer)
    },
    async mostInAnHour(): Promise<number> {
      const answer = await ask(`${sandbox.origin}/_sandbox/requests`)
      return Requests.parse(await answer.json()).mostInAnHour['sandbox-free'] ?? 0
    },
    /** Lets time pass, look by look: each has ended before more time passes. */
    async pass(milliseconds: number): Promise<void> {
      const until = clock.now() + milliseconds
      await idle()
      while (clock.now() < until) {
        // Counted before the answer: a decision that is made meanwhile moves the next look.
        const [looked, decided] = [looks, decisions]
        const next = Date.parse((await readyz()).polling.nextLook ?? '')
        while (looks === looked && decisions === decided && clock.now() < until) {
          if (clock.now() >= next) {
            const isOver = () => looks > looked || decisions > decided
            // The first learns a year of every model.
            await vi.waitUntil(isOver, { interval: 1, timeout: 20_000 })
          } else await clock.advance(Math.min(next - clock.now(), minuteMs, until - clock.now()))
        }
        await idle()
      }
    },
    async restart(): Promise<void> {
      await app.stop()
      app = await opened.start(config)
      await begun()
    },
  }
}
