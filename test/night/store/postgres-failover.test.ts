import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { openPostgresStore } from '../../../src/store/postgres/open.ts'
import { delivery } from '../../support/app.ts'
import { startFakeDiscord } from '../../support/fakes/discord.ts'
import { startFaultProxy } from '../../support/fakes/fault-proxy.ts'
import { secret, signed } from '../../support/fakes/signed.ts'
import { freePort } from '../../support/free-port.ts'
import { startPair } from '../../support/postgres/pair.ts'
import { eachAlone, endAll, type Running, start } from '../../system/e2e/process.ts'

let pair: Awaited<ReturnType<typeof startPair>>
let discord: Awaited<ReturnType<typeof startFakeDiscord>>

beforeEach(async () => {
  pair = await startPair()
  discord = await startFakeDiscord()
}, 120_000)
afterEach(async () => {
  endAll()
  await discord.close()
  await pair.remove()
})

interface Replica extends Running {
  port: number
}

/** Its address of the store names both servers. */
async function serve(store: string): Promise<Replica> {
  const port = await freePort()
  const configFile = join(mkdtempSync(join(tmpdir(), 'failover-')), 'bluepencil.yaml')
  writeFileSync(
    configFile,
    `
store: ${store}
server: { host: 127.0.0.1, port: ${port} }
webhook: { secrets: [${secret}] }
discord: { token: "${discord.token}", apiUrl: "${discord.url}" }
operators: [ops]
channels:
  - { name: desk, type: discord, to: "${discord.channelId}" }
  - { name: ops, type: console, minDelta: 100 }
`,
  )
  const process = start(['serve', '--config', configFile], { env: { NODE_OPTIONS: eachAlone } })
  await vi.waitUntil(() => process.log().some(({ message }) => message === 'ready'), { timeout: 30_000 })
  return { ...process, port }
}

const bodies = new Map<string, string>()

/** What comes again is the same to the byte. */
async function deliver({ port }: Replica, id: string): Promise<Response> {
  const body = bodies.get(id) ?? delivery(id, Date.now(), { model: id })
  bodies.set(id, body)
  return fetch(`http://127.0.0.1:${port}/webhook`, { method: 'POST', headers: signed(body), body })
}

const posted = () =>
  discord.posted(discord.channelId).flatMap((one) => /evt_\d+/.exec(JSON.stringify(one))?.[0] ?? [])

test.each([
  ['dies', 'killed', { mendedMs: 60_000, refusedMs: 5_000 }],
  ['vanishes without a word', 'vanish', { mendedMs: 150_000, refusedMs: 30_000 }],
] as const)(
  'the primary %s and its standby is promoted: refused meanwhile, operators are alerted, and it goes on by itself',
  {
    timeout: 300_000,
  },
  async (_, how, { mendedMs, refusedMs }) => {
    const wire = await startFaultProxy(pair.primaryPort)
    onTestFinished(() => wire.close())
    const url = (await pair.create()).replace(`:${pair.primaryPort}/`, `:${wire.port}/`)
    const replicas = await Promise.all([serve(url), serve(url)])
    const [one, other] = replicas
    const acknowledged: string[] = []
    const ids = Array.from({ length: 120 }, (_, index) => `evt_${index}`)

    /** In order, each until it is accepted, as the service would. */
    async function deliverAll(to: Replica, own: readonly string[]): Promise<void> {
      for (const id of own) {
        await vi.waitUntil(async () => (await deliver(to, id).catch(() => undefined))?.ok === true, {
          timeout: mendedMs,
          interval: 100,
        })
        acknowledged.push(id)
      }
    }

    const underWay = Promise.all([deliverAll(one, ids.slice(0, 60)), deliverAll(other, ids.slice(60))])
    await vi.waitUntil(() => acknowledged.length > 30, { timeout: 30_000, interval: 1 })
    if (how === 'vanish') await wire.set('vanish')
    await pair.killPrimary()
    const before = [...acknowledged]
    expect(before.length).toBeLessThan(ids.length)

    for (const replica of replicas) {
      const began = performance.now()
      const refused = await deliver(replica, 'evt_refused')
      expect(performance.now() - began).toBeLessThan(refusedMs)
      expect(refused.status).toBe(503)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect((await fetch(`http://127.0.0.1:${replica.port}/readyz`)).status).toBe(503)
    }
    await vi.waitUntil(
      () => replicas.every(({ stdout }) => stdout().includes('The store cannot be written')),
      {
        timeout: 30_000,
      },
    )

    await pair.promote()
    await underWay
    await vi.waitUntil(async () => (await deliver(other, 'evt_refused')).ok, {
      timeout: 30_000,
      interval: 100,
    })
    await vi.waitUntil(() => new Set(posted()).size === ids.length, { timeout: 60_000, interval: 100 })
    expect(posted().toSorted()).toEqual(ids.toSorted())
    const store = await openPostgresStore(url)
    for (const id of before) expect([id, await store.find(id)]).toEqual([id, expect.anything()])
    await store.close()
    for (const replica of replicas) {
      replica.kill()
      expect(await replica.ended).toBe(0)
    }
  },
)
