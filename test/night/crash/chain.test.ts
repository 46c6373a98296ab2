import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Outcome } from '../../../src/event/outcome.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { chainAll } from '../../support/chain-all.ts'
import { type Chained, chainOf } from '../../support/chain-of.ts'
import { alert } from '../../support/fakes/events.ts'
import type { Step } from '../../system/crash/preload.ts'
import { openScene, type Scene } from '../../system/crash/scene.ts'
import { createRandom, events } from '../../system/crash/traffic.ts'
import { run } from '../../system/e2e/process.ts'

let scene: Scene
afterEach(() => scene?.close())

const bluepencil = (...args: string[]) =>
  run([...args, '--config', join(scene.folder, 'bluepencil.yaml')], { cwd: scene.folder })

/** What the folder has, read when nobody serves it. */
async function stored(): Promise<Chained & { troubles: string[] }> {
  const troubles: string[] = []
  const onTrouble = (sentence: string) => troubles.push(sentence)
  const store = await openSqliteStore(join(scene.folder, 'data'), { now: Date.now, onTrouble })
  const chained = await chainOf(store)
  await store.close()
  return { ...chained, troubles }
}

/** Of the first batch, which begins the file, and of a later one. */
const steps: Step[] = ['before write chain', 'half write chain', 'after write chain']

test('kill -9 at each step of a batch: each alert is in the chain once and in order, and the heads hold', {
  timeout: 180_000,
}, async () => {
  scene = await openScene({ random: createRandom(11) })
  await scene.begin()
  const ids: string[] = []
  for (const [round, step] of [...steps, ...steps].entries()) {
    const fired = events(`c${round}`, 4)
    ids.push(...fired.map(({ id }) => id))
    await scene.sender.send(fired, 2)
    await scene.order({ step, hit: 1 })
    let isKilled = false
    void scene.life().ended.then(() => {
      isKilled = true
    })
    // It chains what came since, at once. If the start had chained that before the order, something new has to come.
    const accepted: Promise<void>[] = []
    for (let more = 0; !isKilled && (await bluepencil('evidence', ids.at(-1) ?? '')).code === 0; more += 1) {
      const fresh = events(`c${round}_more${more}`, 1)
      ids.push(...fresh.map(({ id }) => id))
      const sent = scene.sender.send(fresh, 1)
      accepted.push(sent)
      // If the kill comes first, the next process accepts it.
      await Promise.race([sent, scene.life().ended])
    }
    expect(await scene.ended()).toBe('SIGKILL')
    // What was killed at the first batch begins it anew, and the start chains by itself.
    await scene.begin()
    await Promise.all(accepted)
  }
  const [id = ''] = ids.slice(-1)
  expect((await bluepencil('evidence', id, '--output', 'last.json')).code).toBe(0)
  const [, head = ''] = / ([0-9a-f]{64})\n/.exec((await bluepencil('chain')).stdout) ?? []
  const file = join(scene.folder, 'last.json')
  expect(await run(['verify', file, '--head', head])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('The head that you gave covers this event.'),
  })
  await scene.settled()
  scene.life().kill()
  expect(await scene.ended()).toBe(0)
  const { links, alerts, faults, newest, troubles, ids: there } = await stored()
  expect(links).toEqual(alerts)
  expect(there.toSorted()).toEqual(ids.toSorted())
  expect({ faults, troubles, newest }).toEqual({ faults: [], troubles: [], newest: head })
  expect(scene.errors()).toEqual([])
})

/** Alerts that came so many days ago and were sent then, and chained five at a time at that time. */
async function remember(daysAgo: number, count: number): Promise<string[]> {
  const at = Date.now() - daysAgo * 86_400_000
  const detectedAt = new Date(at).toISOString()
  const sent: Outcome = { state: 'sent', at: detectedAt, attempts: 1, receipt: { text: 'once' } }
  let now = at
  const onTrouble = (trouble: string) => {
    throw new Error(trouble)
  }
  const store = await openSqliteStore(join(scene.folder, 'data'), {
    now: () => now,
    onTrouble,
  })
  for (let index = 0; index < count; index++) {
    const entry = alert({ id: `evt_old_${index}`, detectedAt })
    await store.accept([{ entry, outcomes: { slack: sent } }])
    if (index % 5 === 4) await chainAll({ store, now: () => at })
  }
  // The days since then have gone by, and no clock has leapt.
  now = Date.now()
  await store.retain(0, { serviceTime: now })
  const { heads, links } = await chainOf(store)
  expect(links).toHaveLength(count)
  await store.close()
  return heads
}

test('kill -9 while retention takes links out of the chain: the heads stay, and the links go in the end', {
  timeout: 120_000,
}, async () => {
  scene = await openScene({ random: createRandom(12) })
  mkdirSync(join(scene.folder, 'data'))
  const before = await remember(100, 10)
  for (const step of ['before write links', 'half write links', 'after write links'] satisfies Step[]) {
    // The first commit of retention takes out what the last one left.
    await scene.begin({ step, hit: step === 'before write links' ? 2 : 1 })
    expect(await scene.ended()).toBe('SIGKILL')
    const { heads, faults, troubles, links } = await stored()
    expect({ heads, faults, troubles }).toEqual({ heads: before, faults: [], troubles: [] })
    // In the middle of it, either may be.
    const left = { 'before write links': [10], 'half write links': [0, 10], 'after write links': [0] }[step]
    expect(left).toContain(links.length)
  }
  await scene.begin()
  await scene.sender.send(events('new', 4), 2)
  expect((await bluepencil('evidence', 'evt_new_3')).code).toBe(0)
  await scene.settled()
  scene.life().kill()
  await scene.ended()
  const { heads, faults, links, alerts } = await stored()
  expect(heads.slice(0, before.length)).toEqual(before)
  expect({ faults, links }).toEqual({ faults: [], links: alerts })
})
