import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { contentOf } from '../../../src/event/content.ts'
import type { Outcome } from '../../../src/event/outcome.ts'
import { connectControl } from '../../../src/people/control/connect.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { alert } from '../../support/fakes/events.ts'
import type { Orders, Step } from '../../system/crash/preload.ts'
import { openScene, type Scene, until } from '../../system/crash/scene.ts'
import { type Fired, payloadOf } from '../../system/crash/sender.ts'
import { createRandom, events, twice } from '../../system/crash/traffic.ts'
import { start } from '../../system/e2e/process.ts'

let scene: Scene
afterEach(() => scene?.close())

const day = 86_400_000

/** Begins one process for each order, in turn, and lets it die of it. */
async function diesOfEach(steps: readonly Orders[]): Promise<void> {
  for (const orders of steps) {
    await scene.begin(orders)
    expect(await scene.life().ended).toBe('SIGKILL')
  }
}

async function delivers(tag: string): Promise<void> {
  const fired = events(tag, 8)
  await scene.sender.send(twice(fired), 6)
  await scene.settled()
  expect(await scene.finish(fired)).toMatchObject({ faults: [], exit: 0, troubles: [], notices: 0 })
}

describe('kill -9 while old events are dropped', () => {
  /** All of them were sent so many days ago. */
  async function remember(tag: string, count: number, daysAgo: number): Promise<Fired[]> {
    const at = Date.now() - daysAgo * day
    const detectedAt = new Date(at).toISOString()
    const sent: Outcome = { state: 'sent', at: detectedAt, attempts: 1, receipt: { text: 'once' } }
    let now = at
    const store = await openSqliteStore(join(scene.folder, 'data'), {
      now: () => now,
      onTrouble(trouble) {
        throw new Error(trouble)
      },
    })
    const ids = events(tag, count).map(({ id }) => id)
    for (const id of ids) {
      const content = contentOf(Buffer.from(''), payloadOf({ id, model: 'qwen', detectedAt }))
      await store.accept([{ entry: alert({ id, detectedAt, content }), outcomes: { slack: sent } }])
    }
    // The days since then have gone by, and no clock has leapt.
    now = Date.now()
    await store.retain(0, { serviceTime: now })
    await store.close()
    return ids.map((id) => ({ id, model: 'qwen', detectedAt }))
  }

  test('what is old goes in the end, what is not stays known, and nothing is taken for damage', {
    timeout: 60_000,
  }, async () => {
    scene = await openScene({ random: createRandom(3) })
    mkdirSync(join(scene.folder, 'data'))
    const old = await remember('old', 35, 100)
    const recent = await remember('new', 10, 10)
    const steps: Step[] = ['before write drop', 'half write drop', 'before write links']
    await diesOfEach(steps.map((step) => ({ step, hit: 1 })))
    await scene.begin()
    const control = await connectControl(join(scene.folder, 'data'))
    await until(
      'the old are gone',
      async () => (await control?.events({ limit: 100 }))?.length === recent.length,
    )
    await scene.sender.send([...old.slice(0, 1), ...recent], 4)
    expect(recent.map(({ id }) => scene.sender.answers.get(id))).toEqual(recent.map(() => [200]))
    expect(scene.sender.answers.get('evt_old_0')).toEqual([202])
    await delivers('r')
  })
})

describe('kill -9 while the small state is written', () => {
  test('leaves one subscription, and the first delivery is taken', { timeout: 60_000 }, async () => {
    const service = start(['sandbox', '--port', '0'])
    await until('the sandbox listens', () => /is at \S+/.test(service.stdout()))
    const url = /is at (\S+)/.exec(service.stdout())?.[1] ?? ''
    scene = await openScene({ random: createRandom(4), service: url })
    // First it is written that a subscription is about to be made, then the subscription with its secret.
    await diesOfEach([
      { step: 'half write state', hit: 1 },
      { step: 'before write state', hit: 1 },
      { step: 'after write state', hit: 1 },
      { step: 'before write state', hit: 2 },
    ])
    await scene.begin()
    await until('it is subscribed', async () => (await readyz()).subscription.state === 'active')
    expect(await subscriptions(url)).toEqual([expect.objectContaining({ url: `${scene.origin}/webhook` })])

    // The first delivery shows how the service signs, and that is remembered.
    await scene.order({ step: 'half write state', hit: 1 })
    const answer = await fetch(`${url.replace(/\/v1$/, '/_sandbox')}/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: 'evt_sandbox', type: 'policy_change', model: 'claude', delta: 7 }),
    })
    expect(answer.status).toBeLessThan(300)
    expect(await scene.life().ended).toBe('SIGKILL')
    await scene.begin()
    const control = await connectControl(join(scene.folder, 'data'))
    await until('the event is stored', async () => (await control?.event('evt_sandbox')) !== undefined)
    expect(await subscriptions(url)).toHaveLength(1)
    await delivers('st')
    service.kill()
    await service.ended
  })

  async function readyz() {
    const answer = await fetch(`${scene.origin}/readyz`)
    return z.object({ subscription: z.object({ state: z.string() }) }).parse(await answer.json())
  }

  async function subscriptions(url: string): Promise<unknown[]> {
    const answer = await fetch(`${url}/webhooks`, { headers: { authorization: 'Bearer sandbox-pro' } })
    return z.array(z.unknown()).parse(await answer.json())
  }
})

describe('kill -9 while the configuration changes', () => {
  const closing = '  - { name: closing, type: slack, webhookUrl: "http://127.0.0.1:9/services/T/B/X" }'

  test('when the changed file is read, and when it has just come into force', async () => {
    scene = await openScene({ random: createRandom(5) })
    await scene.begin()
    const fired = events('c', 8)
    await scene.order({ step: 'after read configuration', hit: 1 })
    const sent = scene.sender.send(twice(fired), 6)
    scene.configure('# changed')
    scene.life().kill('SIGHUP')
    expect(await scene.life().ended).toBe('SIGKILL')
    await scene.begin()
    await sent

    const more = events('d', 8)
    const sentToo = scene.sender.send(twice(more), 6)
    scene.configure('# changed again')
    scene.life().kill('SIGHUP')
    await until('it is in force', () => scene.life().stderr().includes('the configuration is in use'))
    await scene.kill()
    await scene.begin()
    await sentToo
    await scene.settled()
    expect([...(await scene.faultsOf([...fired, ...more])), ...scene.errors()]).toEqual([])
  })

  test.each<Step>(['half write removal', 'after write removal'])(
    'pending messages of a removed channel are settled: %s',
    async (step) => {
      scene = await openScene({ random: createRandom(7) })
      scene.configure(closing)
      await scene.begin()
      const fired = events('c4', 8)
      await scene.sender.send(fired, 6)
      await scene.order({ step, hit: 1 })
      scene.configure()
      scene.life().kill('SIGHUP')
      expect(await scene.life().ended).toBe('SIGKILL')
      await scene.begin()
      await scene.settled()
      expect([...(await scene.faultsOf(fired)), ...scene.errors()]).toEqual([])
      const control = await connectControl(join(scene.folder, 'data'))
      const stored = await control?.events({ limit: 100 })
      const alerts = stored?.filter(({ entry }) => entry.kind === 'alert')
      expect(alerts?.map(({ outcomes }) => outcomes.closing)).toEqual(
        fired.map(() => expect.objectContaining({ state: 'not_sent', rule: 'channel-removed' })),
      )
      const notices = stored?.flatMap(({ entry }) => (entry.kind === 'notice' ? [entry.title] : []))
      expect(notices?.filter((title) => title.includes('closing'))).toEqual([
        'closing is no longer configured',
      ])
    },
  )
})
