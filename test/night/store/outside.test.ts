import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { delivery } from '../../support/app.ts'
import { secret, signed } from '../../support/fakes/signed.ts'
import { freePort } from '../../support/free-port.ts'
import { endAll, type Running, run, start } from '../../system/e2e/process.ts'

afterEach(endAll)

const database = 'bluepencil.sqlite'

/** A folder with a configuration, and `serve` as a process on it. */
async function openScene() {
  const folder = mkdtempSync(join(tmpdir(), 'outside-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const data = join(folder, 'data')
  const service = await configured('b')

  async function configured(name: string) {
    const port = await freePort()
    const config = join(folder, `${name}.yaml`)
    writeFileSync(
      config,
      `store: file:${data}
server: { host: 127.0.0.1, port: ${port} }
webhook: { secrets: [${secret}] }
channels: [{ name: desk, type: console }]
operators: [desk]
`,
    )
    const origin = `http://127.0.0.1:${port}`
    return {
      config,
      begin: () => start(['serve', '--config', config]),
      async serve(): Promise<Running> {
        const serving = start(['serve', '--config', config])
        await vi.waitUntil(async () => (await this.ready()) === 200, { timeout: 30_000, interval: 50 })
        return serving
      },
      async ready(): Promise<number | undefined> {
        return (await fetch(`${origin}/readyz`).catch(() => undefined))?.status
      },
      async deliver(id: string): Promise<number> {
        const body = delivery(id, Date.now())
        return (await fetch(`${origin}/webhook`, { method: 'POST', body, headers: signed(body) })).status
      },
    }
  }

  async function stored(): Promise<string[]> {
    const { stdout } = await run(['events', '--json', '--limit', '1000', '--config', service.config])
    return stdout.match(/evt_\w+/g) ?? []
  }

  return { folder, data, ...service, configured, stored: async () => new Set(await stored()) }
}

type Scene = Awaited<ReturnType<typeof openScene>>

const storeReports = ({ stdout }: Running) => stdout().match(/The store cannot be written/g)?.length ?? 0

test.each<[string, (data: string) => void]>([
  ['the folder was removed', (data) => rmSync(data, { recursive: true })],
  ['the folder was moved', (data) => renameSync(data, `${data}-elsewhere`)],
  ['the database was removed', (data) => rmSync(join(data, database))],
  ['its log was removed', (data) => rmSync(join(data, `${database}-wal`))],
  [
    'a copy of the folder was put in its place',
    (data) => {
      cpSync(data, `${data}-copy`, { recursive: true, filter: (path) => !path.endsWith('.sock') })
      renameSync(data, `${data}-old`)
      renameSync(`${data}-copy`, data)
    },
  ],
])('a running serve answers 503 and alerts the operators once: %s', async (_, damage) => {
  const scene = await openScene()
  const serving = await scene.serve()
  expect(await scene.deliver('evt_before')).toBe(202)
  damage(scene.data)
  for (let n = 1; n <= 10; n++) expect([n, await scene.deliver(`evt_${n}`)]).toEqual([n, 503])
  await vi.waitUntil(async () => (await scene.ready()) === 503, { timeout: 10_000 })
  await vi.waitUntil(() => storeReports(serving) > 0, { timeout: 30_000 })
  expect(await scene.deliver('evt_11')).toBe(503)
  expect(storeReports(serving)).toBe(1)
})

test('after rm data/lock a second serve may start, and the first acknowledges nothing any more', async () => {
  const scene = await openScene()
  await scene.serve()
  expect(await scene.deliver('evt_before')).toBe(202)
  rmSync(join(scene.data, 'lock'))
  const other = await scene.configured('second')
  const second = other.begin()
  const began = await Promise.race([
    second.ended,
    vi.waitUntil(async () => (await other.ready()) === 200, { timeout: 30_000 }),
  ])
  const accepted = ['evt_before']
  for (let n = 0; n < 10; n++) {
    for (const [name, service] of [
      ['x', scene],
      ['y', other],
    ] as const) {
      const status = await service.deliver(`evt_${name}${n}`).catch(() => undefined)
      if (status === 202) accepted.push(`evt_${name}${n}`)
    }
  }
  expect([true, 1]).toContain(began)
  endAll()
  await scene.serve()
  const storedEvents = await scene.stored()
  expect(accepted.filter((id) => !storedEvents.has(id))).toEqual([])
})

test('a restore beside a supervisor that starts serve again and again is whole, with its settings', {
  timeout: 120_000,
}, async () => {
  const scene = await openScene()
  await remember(scene.data)
  const first = await scene.serve()
  for (let n = 0; n < 20; n++) expect(await scene.deliver(`evt_${n}`)).toBe(202)
  const file = join(scene.folder, 'backup.tar.gz')
  expect(await run(['backup', file, '--config', scene.config])).toMatchObject({ code: 0 })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  first.kill()
  await first.ended
  rmSync(scene.data, { recursive: true })

  const restoring = start(['restore', file, '--config', scene.config])
  await vi.waitUntil(() => readIfThere(scene.data).length > 0, { timeout: 30_000, interval: 1 })
  let isOver = false
  const refusals: string[] = []
  const supervising = (async () => {
    while (!isOver) {
      const serving = scene.begin()
      await Promise.race([serving.ended, vi.waitUntil(() => isOver, { timeout: 60_000, interval: 20 })])
      serving.kill()
      await serving.ended
      refusals.push(serving.stderr())
    }
  })()
  expect([await restoring.ended, restoring.stderr()]).toEqual([0, ''])
  isOver = true
  await supervising
  const serving = await scene.serve()
  expect((await scene.stored()).size).toBe(20)
  expect(JSON.parse(readFileSync(join(scene.data, 'settings.json'), 'utf8'))).toMatchObject(settings)
  expect([serving.stderr(), ...refusals].filter((text) => text.includes('settings.json'))).toEqual([])
})

const settings = { revision: 3, of: 'the desk' }

/** As a service left it that has ended. */
async function remember(data: string): Promise<void> {
  const store = await openSqliteStore(data, { now: Date.now, onTrouble: () => {} })
  await store.changeState('settings', () => settings)
  await store.close()
}

test('of two backups to one file at once one fails with a sentence, and the other is whole', async () => {
  const scene = await openScene()
  await scene.serve()
  expect(await scene.deliver('evt_1')).toBe(202)
  const file = join(scene.folder, 'backup.tar.gz')
  const both = await Promise.all([1, 2].map(() => run(['backup', file, '--config', scene.config])))
  const failed = both.filter(({ code }) => code !== 0)
  expect(failed).toHaveLength(1)
  expect(failed[0]?.stderr).toMatch(/^bluepencil: .*(cannot be written; another backup|exists already).*\n$/)
  expect(failed[0]?.stderr).not.toContain('EEXIST')
  expect(readdirSync(scene.folder).filter((name) => name.includes('backup'))).toEqual(['backup.tar.gz'])
  expect(readdirSync(scene.data).filter((name) => name.startsWith('snapshot'))).toEqual([])
  endAll()
  rmSync(scene.data, { recursive: true })
  expect(await run(['restore', file, '--config', scene.config])).toMatchObject({ code: 0 })
  expect(await scene.stored()).toEqual(new Set(['evt_1']))
})

test('the files are for the user alone from their creation on, with any umask', async () => {
  const scene: Scene = await openScene()
  const modes = new Map<string, number>()
  const note = () => {
    for (const name of readIfThere(scene.data)) {
      const mode = statSync(join(scene.data, name), { throwIfNoEntry: false })?.mode ?? 0
      if ((mode & 0o077) !== 0) modes.set(name, mode & 0o777)
    }
  }
  const serving = start(['serve', '--config', scene.config], {
    through: ['sh', '-c', 'umask 0; exec "$@"', 'sh'],
  })
  await vi.waitUntil(
    async () => {
      note()
      return (await scene.ready()) === 200
    },
    { timeout: 30_000, interval: 1 },
  )
  expect(await scene.deliver('evt_1')).toBe(202)
  note()
  serving.kill()
  await serving.ended
  note()
  expect([...modes]).toEqual([])
})

test('an sqlite3 that an admin has open, reading and then writing, costs no delivery', async () => {
  const scene = await openScene()
  await scene.serve()
  const admin = start([], { through: adminOf(scene.data) })
  await vi.waitUntil(() => admin.stdout().includes('locked'), { timeout: 10_000 })
  expect(await scene.deliver('evt_1')).toBe(202)
  await admin.ended
  expect(admin.stdout()).toContain('let go')
  expect(await scene.stored()).toEqual(new Set(['evt_1']))
})

/** A program that reads within a transaction, then has the database locked for two seconds. */
function adminOf(data: string): string[] {
  const script = `
const { DatabaseSync } = require('node:sqlite')
const one = new DatabaseSync(${JSON.stringify(join(data, database))})
one.exec('begin; select * from alerts; commit; begin immediate')
console.log('locked')
setTimeout(() => { one.exec('rollback'); console.log('let go') }, 2000)`
  return [process.execPath, '-e', script, '--']
}

function readIfThere(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
