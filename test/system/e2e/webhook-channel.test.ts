import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { delivery } from '../../support/app.ts'
import { type Receiver, startReceiver } from '../../support/fakes/receiver.ts'
import { secret, signed } from '../../support/fakes/signed.ts'
import { freePort } from '../../support/free-port.ts'
import { endAll, run, start } from './process.ts'

afterEach(endAll)

const shared = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD3AsVfgQnZ5o='

interface Body {
  type: string
  data: { id: string; alert?: Record<string, unknown>; message: { headline: string; caveats: string[] } }
}

/** What came, each verified by the library from its bytes. */
function events({ received }: Receiver) {
  return received.map(({ raw, headers }) => {
    const own = Object.entries(headers).map(([name, value]) => [name, String(value)] as const)
    const body = new Webhook(shared).verify(raw, Object.fromEntries(own)) as Body
    return { ...body, delivery: headers['webhook-id'] }
  })
}

async function desk() {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  const folder = mkdtempSync(join(tmpdir(), 'bluepencil-tools-'))
  const file = join(folder, 'b.yaml')
  const port = await freePort()
  writeFileSync(
    file,
    `
webhook: { secrets: [${secret}] }
server: { host: 127.0.0.1, port: ${port} }
store: file:${folder}/data
channels:
  - { name: tools, type: webhook, to: "${receiver.origin}/hooks", secret: "${shared}", allowPrivate: true }
`,
  )
  const origin = `http://127.0.0.1:${port}`
  return {
    receiver,
    file,
    async serve() {
      const serving = start(['serve', '--config', file])
      await vi.waitUntil(
        () =>
          fetch(`${origin}/healthz`).then(
            () => true,
            () => false,
          ),
        { timeout: 20_000 },
      )
      return serving
    },
    async deliver(id: string, changes: Record<string, unknown> = {}) {
      const body = delivery(id, Date.now(), changes)
      const { status } = await fetch(`${origin}/webhook`, { method: 'POST', body, headers: signed(body) })
      return status
    },
  }
}

test('an alert, its correction and the edit of what was sent are three events, each once', {
  timeout: 60_000,
}, async () => {
  const { receiver, file, serve, deliver } = await desk()
  const serving = await serve()
  const at = { detected_at: new Date().toISOString() }
  const data = (delta: string) => ({ data: { category: 'political', delta, ...at } })
  expect(await deliver('evt_1', data('+12pp'))).toBe(202)
  await vi.waitUntil(() => receiver.received.length === 1)
  expect(await deliver('evt_1', data('+12pp'))).toBe(200)
  expect(await deliver('evt_1', data('+9pp'))).toBe(202)
  await vi.waitUntil(() => receiver.received.length === 3)
  const all = events(receiver)
  const [first, ...later] = all
  expect(first).toMatchObject({
    type: 'alert',
    delivery: 'evt_1',
    data: { id: 'evt_1', alert: { delta: 12 } },
  })
  expect(later.find(({ type }) => type === 'alert.correction')).toMatchObject({
    delivery: 'evt_1~2',
    data: { alert: { delta: 9, kind: 'correction', before: { id: 'evt_1', delta: 12 } } },
  })
  expect(later.find(({ type }) => type === 'alert.edited')).toMatchObject({
    delivery: expect.stringMatching(/^evt_1_edit_/),
    data: { id: 'evt_1', alert: { delta: 12, revisedBy: { id: 'evt_1~2', delta: 9 } } },
  })
  const explained = await run(['explain', 'evt_1', '--config', file])
  expect(explained.stdout).toContain('accepted with status 204 as evt_1')
  serving.kill()
  expect(await serving.ended).toBe(0)
  expect(receiver.received).toHaveLength(3)
})

test('killed before it had its answer, the next process says under the same id that it may be a repeat', {
  timeout: 60_000,
}, async () => {
  const { receiver, file, serve, deliver } = await desk()
  const first = await serve()
  receiver.answer('hang')
  expect(await deliver('evt_1')).toBe(202)
  await vi.waitUntil(() => receiver.received.length === 1)
  first.kill('SIGKILL')
  await first.ended
  const second = await serve()
  const waiting = async () => (await run(['explain', 'evt_1', '--config', file])).stdout
  await vi.waitUntil(async () => (await waiting()).includes('it may have arrived'), { timeout: 20_000 })
  // Nobody can be asked, so it waits for minutes; a person need not.
  expect(receiver.received).toHaveLength(1)
  const replayed = await run(['replay', 'evt_1', 'tools', '--config', file])
  expect(replayed.code).toBe(0)
  await vi.waitUntil(() => receiver.received.length === 2)
  expect(events(receiver).map(({ delivery: id }) => id)).toEqual([
    'evt_1',
    expect.stringMatching(/^evt_1-again-/),
  ])
  second.kill()
  expect(await second.ended).toBe(0)
})

test('killed before it could edit, the next process makes the edit under the same id', {
  timeout: 60_000,
}, async () => {
  const { receiver, serve, deliver } = await desk()
  const first = await serve()
  const at = { detected_at: new Date().toISOString() }
  const data = (delta: string) => ({ data: { category: 'political', delta, ...at } })
  expect(await deliver('evt_1', data('+12pp'))).toBe(202)
  await vi.waitUntil(() => receiver.received.length === 1)
  // The correction goes first, and what is edited after it gets no answer.
  receiver.answer({ status: 204 }, 'hang')
  expect(await deliver('evt_1', data('+9pp'))).toBe(202)
  await vi.waitUntil(() => receiver.received.length === 3)
  expect(events(receiver).at(-1)?.type).toBe('alert.edited')
  first.kill('SIGKILL')
  await first.ended
  const second = await serve()
  await vi.waitUntil(() => receiver.received.length === 4)
  const [, , cut, made] = events(receiver)
  expect([made?.type, made?.delivery]).toEqual(['alert.edited', cut?.delivery])
  second.kill()
  expect(await second.ended).toBe(0)
})
