import { appendFileSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { delivery } from '../../support/app.ts'
import { secret, signed } from '../../support/fakes/signed.ts'
import { ownPostgresForTests } from '../../support/postgres/for-tests.ts'
import { endAll, type Running, run, start } from '../../system/e2e/process.ts'

const password = 'word-that-nobody-may-see'
const server = ownPostgresForTests()
let configFile: string

beforeEach(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'replicas-'))
  configFile = join(folder, 'b.yaml')
  const store = (await server().create()).replace('postgres@', `postgres:${password}@`)
  writeFileSync(
    configFile,
    `
store: ${store}
server: { host: 127.0.0.1, port: 0 }
webhook: { secrets: [${secret}] }
channels: [{ name: desk, type: console }]
`,
  )
})
afterEach(endAll)

interface Replica extends Running {
  deliver(id: string): Promise<Response>
  get(path: string): Promise<Response>
  /** The alerts that it sent, by their ids. */
  sent(): string[]
}

async function serve(env: Record<string, string> = {}): Promise<Replica> {
  const process = start(['serve', '--config', configFile], { env })
  await vi.waitUntil(() => readyPort(process), { timeout: 20_000 })
  const origin = `http://127.0.0.1:${readyPort(process)}`
  const bodies = new Map<string, string>()
  return {
    ...process,
    deliver(id) {
      const body = bodies.get(id) ?? delivery(id, Date.now(), { model: id })
      bodies.set(id, body)
      return fetch(`${origin}/webhook`, { method: 'POST', headers: signed(body), body })
    },
    get: (path) => fetch(`${origin}${path}`),
    sent: () => [...process.stdout().matchAll(/\bevt_\w+/g)].map(([id]) => id),
  }
}

function readyPort(process: Running): unknown {
  return process.log().find(({ message }) => message === 'ready')?.port
}

const bluepencil = (...args: string[]) => run([...args, '--config', configFile])

describe('serve with its store in Postgres', () => {
  test('accepts, sends once, and commands ask the database', { timeout: 60_000 }, async () => {
    expect(await bluepencil('events')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no store in postgres://localhost/'),
    })
    const replica = await serve()
    const answers = [await replica.deliver('evt_1'), await replica.deliver('evt_1')]
    expect(answers.map(({ status }) => status)).toEqual([202, 200])
    await vi.waitUntil(() => replica.sent().length > 0, { timeout: 10_000 })
    await vi.waitUntil(async () => (await bluepencil('explain', 'evt_1')).stdout.includes('sent'), {
      timeout: 20_000,
    })
    expect(await bluepencil('replay', 'evt_1', 'desk')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('now'),
    })
    await vi.waitUntil(() => replica.sent().length > 1, { timeout: 10_000 })
    const checked = await bluepencil('check', '--json')
    expect(checked.stdout).toContain('can be written; 1 process of Bluepencil on it')
    expect(checked.stdout).toContain('"what":"failover"')
    replica.kill()
    expect(await replica.ended).toBe(0)
    expect(replica.stdout() + replica.stderr() + checked.stdout + checked.stderr).not.toContain(password)
  })

  test('a console on each process lists what any of them accepted, and leaves nothing behind', {
    timeout: 60_000,
  }, async () => {
    appendFileSync(configFile, 'console: { listen: { port: 0 } }\n')
    const temporary = mkdtempSync(join(tmpdir(), 'replicas-'))
    const first = await serve({ TMPDIR: temporary })
    const other = await serve({ TMPDIR: temporary })
    await first.deliver('evt_1')
    for (const replica of [first, other]) {
      const url = String(replica.log().find(({ message }) => message === 'the console is served')?.url)
      await vi.waitUntil(async () => (await (await fetch(`${url}alerts`)).text()).includes('evt_1'), {
        timeout: 20_000,
        interval: 200,
      })
      expect((await fetch(`${url}alerts/evt_1`)).status).toBe(200)
    }
    expect(readdirSync(temporary)).toEqual([])
    for (const replica of [first, other]) {
      replica.kill()
      expect(await replica.ended).toBe(0)
    }
    expect(readdirSync(temporary)).toEqual([])
  })

  test('answers 503 while Postgres is away, and goes on by itself', { timeout: 90_000 }, async () => {
    const replica = await serve()
    await replica.deliver('evt_1')
    await server().stop('immediate')
    const refused = await replica.deliver('evt_2')
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).not.toBeNull()
    expect((await replica.get('/readyz')).status).toBe(503)
    await server().start()
    await vi.waitUntil(async () => (await replica.deliver('evt_2')).ok, { timeout: 20_000, interval: 100 })
    await vi.waitUntil(() => replica.sent().includes('evt_2'), { timeout: 30_000 })
    expect(new Set(replica.sent())).toEqual(new Set(['evt_1', 'evt_2']))
    expect(replica.stderr()).not.toContain(password)
  })

  test('where the one that sends is killed, the other sends on within 30 s', {
    timeout: 90_000,
  }, async () => {
    const first = await serve()
    const other = await serve()
    await first.deliver('evt_1')
    await vi.waitUntil(() => first.sent().length > 0, { timeout: 10_000 })
    await other.deliver('evt_2')
    await vi.waitUntil(() => first.sent().includes('evt_2'), { timeout: 10_000 })
    first.kill('SIGKILL')
    const killedAt = Date.now()
    await other.deliver('evt_3')
    await vi.waitUntil(() => other.sent().includes('evt_3'), { timeout: 30_000 })
    expect(Date.now() - killedAt).toBeLessThan(30_000)
    expect(other.sent()).not.toContain('evt_1')
  })

  test('a database that cannot be had is said in one sentence', async () => {
    writeFileSync(
      configFile,
      `store: postgres://ana:${password}@127.0.0.1:1/desk
webhook: { secrets: [${secret}] }
channels: [{ name: desk, type: console }]
`,
    )
    const { code, stderr } = await bluepencil('serve')
    expect(code).toBe(1)
    expect(stderr).toContain('the store in Postgres cannot be opened: nothing answers at its address')
    expect(stderr).not.toContain(password)
  })
})
