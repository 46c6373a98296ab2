import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { delivery } from '../../support/app.ts'
import { signed } from '../../support/fakes/signed.ts'
import { freePort } from '../../support/free-port.ts'
import { configured } from '../../support/served.ts'
import { storedEntries } from '../../support/stored.ts'
import { endAll, start } from '../../system/e2e/process.ts'

afterEach(endAll)

const secret = 'whsec_c2VjcmV0IG9mIHRoZSB0ZXN0cw'

/** `serve` whose thread that writes dies at a commit when it is asked to. */
async function mortal() {
  const port = await freePort()
  const { file, folder } = configured(
    `webhook: { secrets: [${secret}] }\nchannels: [{ name: desk, type: console }]\n`,
    `host: 127.0.0.1, port: ${port}`,
  )
  const orders = join(folder, 'disk.json')
  const order = (what: object) => {
    writeFileSync(`${orders}.new`, JSON.stringify(what))
    renameSync(`${orders}.new`, orders)
  }
  order({})
  const preload = new URL('../../system/faults/disk-preload.ts', import.meta.url).href
  const serving = start(['serve', '--config', file], {
    env: { BLUEPENCIL_TEST_DISK: orders, NODE_OPTIONS: `--import=${preload}` },
  })
  onTestFinished(() => serving.kill('SIGKILL'))
  const origin = `http://127.0.0.1:${port}`
  const isReady = async () => (await fetch(`${origin}/readyz`).catch(() => undefined))?.status === 200
  await vi.waitUntil(isReady, { timeout: 30_000 })
  // What is sent again is the same, byte for byte.
  const detectedAt = Date.now()
  return {
    serving,
    order,
    isReady,
    data: join(folder, 'data'),
    async deliver(id: string): Promise<number> {
      const body = delivery(id, detectedAt)
      return (await fetch(`${origin}/webhook`, { method: 'POST', body, headers: signed(body, secret) }))
        .status
    },
  }
}

test.each(['before', 'after'] as const)(
  'a thread that dies %s it has committed: the delivery is answered 503, is stored once, and the service goes on',
  async (dies) => {
    const { deliver, order, data, serving } = await mortal()
    expect(await deliver('evt_1')).toBe(202)
    // Only this commit: what else is written meanwhile, at each start of the thread too, would be a death more.
    order({ dies, of: 'evt_2' })
    expect(await deliver('evt_2')).toBe(503)
    order({})
    const answer = await vi.waitUntil(
      async () => {
        const status = await deliver('evt_2')
        return status === 503 ? false : status
      },
      { timeout: 20_000 },
    )
    expect([200, 202]).toContain(answer)
    expect(await deliver('evt_3')).toBe(202)
    const ids = [...storedEntries(data).matchAll(/"id":"(evt_\d)"/g)].map(([, id]) => id)
    expect(ids).toEqual(['evt_1', 'evt_2', 'evt_3'])
    serving.kill()
    expect(await serving.ended).toBe(0)
  },
)

test('after three deaths of its thread within a minute the process ends with 1 and a sentence', async () => {
  const { deliver, order, serving } = await mortal()
  order({ dies: 'before' })
  const dying = vi.waitUntil(
    async () => {
      const status = await deliver('evt_1').catch(() => 'gone')
      expect([503, 'gone']).toContain(status)
      return status === 'gone'
    },
    { timeout: 30_000 },
  )
  expect(await serving.ended).toBe(1)
  await dying
  expect(serving.stderr()).toMatch(/the thread that works on the store in .* ended 3 times within a minute/)
})
