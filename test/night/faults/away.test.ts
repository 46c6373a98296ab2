import { readFileSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { type FaultProxy, startFaultProxy } from '../../support/fakes/fault-proxy.ts'
import { type Newsroom, openNewsroom } from '../../system/e2e/newsroom.ts'
import { start } from '../../system/e2e/process.ts'
import { selected } from '../../system/faults/selection.ts'
import { serve, shown, subscription } from '../../system/faults/serving.ts'

let newsroom: Newsroom
const all = 'direction: both'
beforeEach(async () => {
  newsroom = await openNewsroom({ slack: all, discord: all, email: all })
})
afterEach(() => newsroom.close())

/** Puts a line before what the configuration names by this address. */
async function lineBefore(address: RegExp): Promise<FaultProxy> {
  const text = readFileSync(newsroom.configFile, 'utf8')
  const [, port = ''] = address.exec(text) ?? []
  const line = await startFaultProxy(Number(port))
  onTestFinished(line.close)
  writeFileSync(newsroom.configFile, text.replaceAll(`:${port}`, `:${line.port}`))
  return line
}

test('the monitoring service is away at the start: the rest runs, and it is subscribed to when it is back', {
  timeout: 60_000,
}, async () => {
  const line = await lineBefore(/baseUrl: "http:\/\/[^:]+:(\d+)/)
  await line.set('refuse')
  const serving = start(['serve', '--config', newsroom.configFile])
  await vi.waitUntil(() => subscription(serving) === 'unreachable', { timeout: 15_000 })
  const readyz = await fetch(`${newsroom.origin}/readyz`)
  expect(readyz.status).toBe(200)
  expect(await readyz.json()).toMatchObject({ subscription: { state: 'unreachable' }, store: { ok: true } })
  await line.set()
  await vi.waitUntil(() => subscription(serving) === 'active', { timeout: 30_000 })
  await newsroom.fire({ ...shown, id: 'evt_1' })
  const once = ['evt_1']
  await vi.waitFor(
    async () => expect(await newsroom.read()).toEqual({ slack: once, discord: once, email: once }),
    15_000,
  )
})

const providers: ['slack' | 'discord' | 'email', RegExp][] = [
  ['slack', /slack: .*apiUrl: "http:\/\/[^:]+:(\d+)/],
  ['discord', /discord: .*apiUrl: "http:\/\/[^:]+:(\d+)/],
  ['email', /smtps?:\/\/[^@]+@[^:]+:(\d+)/],
]
test.each(selected(1, providers))(
  '%s goes away and comes back: the others go on, and it gets everything, once, in order',
  { timeout: 60_000 },
  async (name, address) => {
    const line = await lineBefore(address)
    const serving = await serve(newsroom, {})
    const ids = ['evt_1', 'evt_2', 'evt_3', 'evt_4']
    await newsroom.fire({ ...shown, id: 'evt_1' })
    await vi.waitUntil(async () => (await newsroom.read())[name].length === 1, { timeout: 15_000 })
    await line.set('refuse')
    for (const [index, id] of ids.slice(1).entries()) {
      await newsroom.fire({ ...shown, id })
      await vi.waitUntil(async () => (await newsroom.attempts()).length === index + 2, { timeout: 10_000 })
    }
    const others = { slack: ids, discord: ids, email: ids, [name]: ['evt_1'] }
    await vi.waitFor(async () => expect(await newsroom.read()).toEqual(others), 15_000)
    await vi.waitUntil(() => serving.log().some(({ message }) => message === 'waiting'), { timeout: 15_000 })
    await line.set()
    await vi.waitFor(
      async () => expect(await newsroom.read()).toEqual({ slack: ids, discord: ids, email: ids }),
      25_000,
    )
  },
)
