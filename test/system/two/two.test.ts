import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { hourMs } from '../../../src/platform/durations.ts'
import { startSandbox } from '../../../src/service/sandbox/sandbox.ts'
import { type AppOfTest, configOf } from '../../support/app.ts'
import type { MemoryStore } from '../../support/memory-store.ts'
import { openOffice, openSlowHook } from '../../support/office.ts'

/** Whole applications on one store, each a process of its own as far as the store knows. */
function openBuilding() {
  const { backing, ...office } = openOffice()
  const running = new Set<AppOfTest>()
  return {
    ...office,
    async start(config: Parameters<typeof configOf>[0], more: object = {}) {
      let handle: MemoryStore | undefined
      const secondOffice = openOffice({
        clock: office.clock,
        listen: office.http.listen,
        openStore: async () => {
          handle = backing.open()
          return handle
        },
      })
      const app = await secondOffice.start(configOf(config, more))
      running.add(app)
      await office.clock.advance(0)
      return {
        app,
        texts: () => secondOffice.shown('desk'),
        log: secondOffice.log,
        shown: () => secondOffice.shown('desk').map((text) => /evt_\w+/.exec(text)?.[0]),
        alerts: secondOffice.alerts,
        control: secondOffice.control,
        deliver: (id: string, changed: object = {}) =>
          office.deliver(app.port, id, { model: id, ...changed }),
        /** As SIGKILL: it says nothing more. */
        kill() {
          running.delete(app)
          handle?.kill()
        },
        /** Its connection to the store breaks for a moment. */
        lose: () => handle?.lose(),
      }
    },
    async close() {
      for (const app of running) await office.passing(app.stop())
    },
  }
}

const desk = { name: 'desk', type: 'console' }
let building: ReturnType<typeof openBuilding>

beforeEach(() => {
  building = openBuilding()
})
afterEach(() => building.close())

async function both(more: object = {}) {
  return [await building.start([desk], more), await building.start([desk], more)] as const
}

describe('two applications on one store', () => {
  test('both accept, and each event is sent once, in the order of arrival', async () => {
    const [one, other] = await both()
    for (let n = 1; n <= 5; n++) {
      const answers = await Promise.all([one.deliver(`evt_${n}`), other.deliver(`evt_${n}`)])
      expect(answers.toSorted()).toEqual([200, 202])
      await (n % 2 === 0 ? one : other).deliver(`evt_${n}b`)
    }
    await building.clock.advance(60_000)
    const ids = [1, 2, 3, 4, 5].flatMap((n) => [`evt_${n}`, `evt_${n}b`])
    expect(one.shown()).toEqual(ids)
    expect(other.shown()).toEqual([])
  })

  test.each([
    { how: 'killed', afterMs: 30_000 },
    { how: 'stopped', afterMs: 0 },
    { how: 'cut off', afterMs: 0 },
  ])('where the one that sends is $how, the other sends on', async ({ how, afterMs }) => {
    const [one, other] = await both()
    await one.deliver('evt_1')
    await building.clock.advance(2_000)
    if (how === 'killed') one.kill()
    else if (how === 'cut off') one.lose()
    else await building.passing(one.app.stop())
    await other.deliver('evt_2')
    await other.deliver('evt_3')
    await building.clock.advance(Math.max(0, afterMs - 3_000))
    const early = afterMs > 0 ? other.shown() : []
    expect(early).toEqual([])
    await building.clock.advance(10_000)
    expect([one.shown(), other.shown()]).toEqual([['evt_1'], ['evt_2', 'evt_3']])
  })

  test('what was in flight when the one was killed counts as it would after a start, and the order stays', async () => {
    const hook = await openSlowHook()
    const channels = [{ name: 'hook', type: 'slack', webhookUrl: hook.url }]
    const [one, other] = [await building.start(channels), await building.start(channels)]
    hook.hold()
    await one.deliver('evt_1')
    await building.passUntil(() => hook.got.length === 1)
    one.kill()
    hook.letGo()
    await other.deliver('evt_2')
    await other.deliver('evt_3')
    await building.clock.advance(29_000)
    expect(hook.got).toEqual(['evt_1'])
    await building.passUntil(() => hook.got.length === 3)
    expect(hook.got).toEqual(['evt_1', 'evt_2', 'evt_3'])
    // Nobody can be asked whether it arrived: the one copy that may follow has its own time.
    expect((await building.store.find('evt_1'))?.outcomes.hook).toMatchObject({
      state: 'waiting',
      unanswered: 1,
    })
  })

  test('what a person asks the one to send again is sent at once by the other', async () => {
    const [one, other] = await both()
    await one.deliver('evt_1')
    await building.clock.advance(2_000)
    await other.control().replay('evt_1', 'desk')
    await building.clock.advance(2_000)
    expect([one.shown(), other.shown()]).toEqual([['evt_1', 'evt_1'], []])
  })

  test('an alert that the other accepts has the one that polls read its model', async () => {
    let looks = 0
    const metrics = { overall_refusal_rate: 0.2, political_refusal_rate: 0.31 }
    const service = createServer((request, response) => {
      if (request.url?.includes('/compare')) looks += 1
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ models: [{ model: 'claude', metrics }] }))
    })
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void service.close())
    const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`
    const [, other] = await both({
      monitor: { baseUrl, apiKey: 'a-key', tier: 'pro' },
      polling: { mode: 'always', interval: '1h' },
    })
    await building.passUntil(() => looks === 1)
    await other.deliver('evt_1', { model: 'claude' })
    await building.passUntil(() => looks === 2)
    expect(looks).toBe(2)
  })

  test('an alert that the other accepts has the levels that were read before the service went away', async () => {
    const { clock } = building
    const sandbox = await startSandbox({ port: 0, seed: 7, clock })
    const detected_at = new Date(clock.now()).toISOString()
    sandbox.fire({ model: 'claude', category: 'political', delta: 25, type: 'censorship_spike' })
    await clock.advance(hourMs)
    const [one, other] = await both({
      log: 'debug',
      monitor: { baseUrl: sandbox.url, apiKey: 'sandbox-enterprise', tier: 10_000 },
      polling: { mode: 'always', interval: '1h' },
    })
    await building.passUntil(() => one.log.some((line) => line.includes('poll of the figures')))
    await sandbox.close()
    const data = { category: 'political', delta: '+25pp', detected_at }
    await other.deliver('evt_1', { model: 'claude', data })
    await building.passUntil(() => one.texts().length === 1)
    expect(one.texts()[0]).toMatch(/\n {2}Before: [\d.]+%.* in \d+ readings before/)
    expect(one.texts()[0]).toMatch(/\n {2}Now: [\d.]+% /)
  })

  test('one keeps the subscription and polls, until it is killed; then the other does', async () => {
    const requests: string[] = []
    const service = createServer((request, response) => {
      const who = String(request.headers.authorization ?? request.headers['x-api-key'])
      requests.push(
        `${/(one|other)-key/.exec(who)?.[0]} ${request.url?.includes('webhook') ? 'webhooks' : 'figures'}`,
      )
      response.writeHead(503).end()
    })
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void service.close())
    const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`
    const more = (name: string) => ({
      monitor: { baseUrl, apiKey: `${name}-key`, tier: 'pro' },
      webhook: { publicUrl: 'https://desk.example' },
      polling: { mode: 'always' },
    })
    const first = await building.start([desk], more('one'))
    const other = await building.start([desk], more('other'))
    await building.passUntil(() => new Set(requests).size === 2)
    expect(new Set(requests)).toEqual(new Set(['one-key webhooks', 'one-key figures']))
    first.kill()
    await building.passUntil(
      () => requests.includes('other-key figures') && requests.includes('other-key webhooks'),
    )
    const after = requests.slice(requests.findIndex((request) => request.startsWith('other')))
    expect(after.filter((request) => request.startsWith('one'))).toEqual([])
    expect(other.alerts().length).toBeLessThanOrEqual(2)
  })
})
