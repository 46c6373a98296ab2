import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Step } from '../../system/crash/preload.ts'
import { openScene, type Scene } from '../../system/crash/scene.ts'
import type { Fired } from '../../system/crash/sender.ts'
import { createRandom, events, twice } from '../../system/crash/traffic.ts'

let scene: Scene
let row = 0
const all: Fired[] = []

beforeAll(async () => {
  scene = await openScene({ random: createRandom(1) })
  await scene.begin()
})
afterAll(() => scene?.close())

/** One table for them all: what is killed at, the step as the preload knows it, and the how manieth it is. */
const receiving: [name: string, step: Step, hit: number][] = [
  ['after the body is read', 'before verify', 3],
  ['after the signature is verified', 'after verify', 3],
  ['before an event is written', 'before write event', 1],
  ['while an event is written', 'half write event', 1],
  ['after an event is on disk, before it is answered', 'after write event', 1],
  ['when the answer is about to go', 'before answer', 4],
  ['when the answer has gone', 'after answer', 4],
]
const settling: typeof receiving = [
  ['after the answer of a provider, before its outcome is written', 'before write outcome', 5],
  ['while an outcome is written', 'half write outcome', 4],
  ['after an outcome is on disk', 'after write outcome', 2],
]

describe('kill -9 loses, doubles and disorders nothing', () => {
  test.each([...receiving, ...settling])('%s', async (_, step, hit) => {
    const fired = events(`s${row++}`, 8)
    all.push(...fired)
    await scene.order({ step, hit })
    const sent = scene.sender.send(twice(fired), 6)
    expect(await scene.ended()).toBe('SIGKILL')
    await scene.begin()
    await sent
    await scene.settled()
    expect([...(await scene.faultsOf(fired)), ...scene.errors()]).toEqual([])
  })
})

test('in the end all is stored, sent and in order, and the store complains of nothing', async () => {
  expect(await scene.finish(all)).toMatchObject({ faults: [], exit: 0, troubles: [], notices: 0 })
})
