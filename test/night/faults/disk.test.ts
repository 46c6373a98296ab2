import { createHmac } from 'node:crypto'
import { appendFileSync, chmodSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { freePort } from '../../support/free-port.ts'
import type { Newsroom } from '../../system/e2e/newsroom.ts'
import { run } from '../../system/e2e/process.ts'
import { openDiskScene, succeeds } from '../../system/faults/disk-scene.ts'
import { serve, shown } from '../../system/faults/serving.ts'

type Scene = Awaited<ReturnType<typeof openDiskScene>>

let newsroom: Newsroom
let everybodyReads: Scene['everybodyReads']
let losesNothing: Scene['losesNothing']
let status: Scene['status']
beforeEach(async () => {
  ;({ newsroom, everybodyReads, losesNothing, status } = await openDiskScene())
})
afterEach(() => newsroom.close())

const canLimit = succeeds(['prlimit', '--version'])

test.skipIf(!canLimit)(
  'a limit of file size: no 2xx, a notice, and when it is lifted everything arrives once',
  { timeout: 60_000 },
  async () => {
    const serving = await serve(newsroom, {})
    const limit = (bytes: string) => {
      expect(succeeds(['prlimit', '--pid', String(serving.pid), `--fsize=${bytes}:`])).toBe(true)
    }
    const log = join(newsroom.folder, 'data', 'bluepencil.sqlite-wal')
    await losesNothing(
      () => limit(String(statSync(log).size + 100)),
      () => limit('unlimited'),
    )
    expect(serving.stderr()).toContain('the file has reached the largest size allowed (EFBIG)')
  },
)

test.skipIf(!canLimit)(
  'while nothing can be written, the console and check show what is wrong, and nothing else hides it',
  { timeout: 60_000 },
  async () => {
    const port = await freePort()
    appendFileSync(newsroom.configFile, `\nconsole: { listen: { port: ${port} } }\n`)
    const serving = await serve(newsroom, {})
    expect(succeeds(['prlimit', '--pid', String(serving.pid), '--fsize=1:'])).toBe(true)
    await newsroom.fire({ ...shown, id: 'evt_00' })
    await vi.waitUntil(async () => (await status('/readyz')) === 503, { timeout: 10_000 })
    // Nobody has been here before: there is no key for a session yet.
    for (const page of ['', 'alerts', 'channels', 'silences', 'failed', 'configuration', 'log', 'sign-in']) {
      const answer = await fetch(`http://127.0.0.1:${port}/console/${page}`)
      expect([page, answer.status]).toEqual([page, 200])
    }
    const overview = await (await fetch(`http://127.0.0.1:${port}/console/`)).text()
    expect(overview).toContain('the file has reached the largest size allowed (EFBIG)')
    const checked = await run(['check', '--config', newsroom.configFile])
    expect(checked.code).toBe(1)
    expect(checked.stdout).toMatch(/FAIL {2}disk: the running service cannot write .*\(EFBIG\)/)
    expect(serving.stderr()).not.toContain('cannot rollback')
  },
)

describe('fsync', () => {
  const disk = () => join(newsroom.folder, 'disk.json')
  /** At once: it is read at any moment. */
  const orders = (what: object) => {
    writeFileSync(`${disk()}.new`, JSON.stringify(what))
    renameSync(`${disk()}.new`, disk())
  }
  const preloaded = () => {
    orders({})
    const preload = new URL('../../system/faults/disk-preload.ts', import.meta.url).href
    return serve(newsroom, { env: { BLUEPENCIL_TEST_DISK: disk(), NODE_OPTIONS: `--import=${preload}` } })
  }

  test('that fails: no 2xx, a notice, and when it works again everything arrives once', {
    timeout: 60_000,
  }, async () => {
    const serving = await preloaded()
    await losesNothing(
      () => orders({ code: 'EIO' }),
      () => orders({}),
    )
    expect(serving.stderr()).toContain('the disk reports an error (EIO)')
  })

  test('that is slow: each 2xx waits for it, many share one, and a sender that gave up causes no duplicate', async () => {
    await preloaded()
    await newsroom.fire({ ...shown, id: 'evt_00' })
    await everybodyReads(['evt_00'])
    orders({ delayMs: 500 })
    const ids = Array.from({ length: 12 }, (_, index) => `evt_${String(index).padStart(2, '0')}`)
    const post = async (id: string, patienceMs: number) => {
      const body = JSON.stringify({
        id,
        type: shown.type,
        model: shown.model,
        data: { category: 'political', delta: '+6pp' },
      })
      const signature = createHmac('sha256', await newsroom.secret())
        .update(body)
        .digest('hex')
      return fetch(`${newsroom.origin}/webhook`, {
        method: 'POST',
        body,
        headers: { 'x-service-signature': signature },
        signal: AbortSignal.timeout(patienceMs),
      })
    }
    await expect(post('evt_01', 100)).rejects.toThrow('timeout')
    const began = performance.now()
    const answers = await Promise.all(ids.slice(2).map((id) => post(id, 10_000)))
    const took = performance.now() - began
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(202))
    expect(took).toBeGreaterThan(450)
    expect(took).toBeLessThan(10 * 500)
    expect(await status('/healthz')).toBe(200)
    expect((await post('evt_01', 10_000)).status).toBe(200)
    orders({})
    await everybodyReads(ids)
  })
})

describe('a folder that may only be read', () => {
  const inFolder = () => [join(newsroom.folder, 'data')]
  /** Root writes wherever it likes, unless it gives its powers away. */
  const through = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : []

  test('is refused at the start, with what to do; and nothing is lost when it may be written again', async () => {
    const first = await serve(newsroom, { through })
    await newsroom.fire({ ...shown, id: 'evt_00' })
    await everybodyReads(['evt_00'])
    first.kill()
    await first.ended
    for (const folder of inFolder()) {
      for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o500)
      chmodSync(folder, 0o500)
    }
    const refused = await run(['serve', '--config', newsroom.configFile], { through })
    for (const folder of inFolder()) {
      chmodSync(folder, 0o700)
      for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o700)
    }
    expect(refused.code).toBe(1)
    expect(refused.stderr).toBe(
      `bluepencil: ${newsroom.folder}/data cannot be written to: this user may not write there (EACCES); make the user that Bluepencil runs as its owner, or name another folder for the store\n`,
    )

    await serve(newsroom, { through })
    await newsroom.fire({ ...shown, id: 'evt_01' })
    await everybodyReads(['evt_00', 'evt_01'])
  })
})

test('a second process on the same store is refused, with what to do, and the first goes on', async () => {
  await serve(newsroom, {})
  const second = await run(['serve', '--config', newsroom.configFile])
  expect(second.code).toBe(1)
  expect(second.stderr).toBe(
    `bluepencil: another Bluepencil is using ${newsroom.folder}/data; stop it first, or name another folder for the store\n`,
  )
  await newsroom.fire({ ...shown, id: 'evt_00' })
  await everybodyReads(['evt_00'])
})

test('a folder that others may write is closed to them: check shows it, and so do the log and the operators', async () => {
  const folder = join(newsroom.folder, 'data')
  const open = () => chmodSync(folder, 0o777)
  const store = await openSqliteStore(folder, { now: Date.now, onTrouble: () => {} })
  await store.close()
  open()
  const checked = await run(['check', '--config', newsroom.configFile])
  expect(checked.stdout).toContain(`FAIL  files: other users of this machine could write to ${folder}`)
  expect(statSync(folder).mode & 0o777).toBe(0o755)
  open()
  const serving = await serve(newsroom, {})
  expect(serving.stderr()).toContain('other users of this machine could write to')
  await vi.waitUntil(
    async () => {
      const told = await newsroom.slack.read('ai-desk')
      return told.some(({ text }) => String(text).includes('other users of this machine could write to'))
    },
    { timeout: 10_000 },
  )
})
