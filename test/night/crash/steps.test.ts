import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Step } from '../../system/crash/preload.ts'
import { openScene, type Scene } from '../../system/crash/scene.ts'
import type { Fired } from '../../system/crash/sender.ts'
import { createRandom, events, fillers, twice } from '../../system/crash/traffic.ts'

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
  ['when half of a line is written', 'half write event', 1],
  ['after an event is on disk, before it is answered', 'after write event', 1],
  ['when the answer is about to go', 'before answer', 4],
  ['when the answer has gone', 'after answer', 4],
]
const settling: typeof receiving = [
  ['after the answer of a provider, before its outcome is written', 'before write outcome', 5],
  ['when half of an outcome is written', 'half write outcome', 4],
  ['after an outcome is on disk', 'after write outcome', 2],
]
const rolling: typeof receiving = [
  ['when half of a sealed file is written', 'half write sealed file', 1],
  ['when a sealed file is whole and not in its place', 'before replace sealed file', 1],
  ['when a sealed file is in its place', 'after replace sealed file', 1],
  ['when half of the list of ids is written', 'half write ids', 1],
  ['when the list of ids is whole and not in its place', 'before replace ids', 1],
  ['when the list of ids is in its place', 'after replace ids', 1],
  ['when the journal of a sealed segment is about to go', 'before remove journal', 1],
  ['when the journal of a sealed segment has gone', 'after remove journal', 1],
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

  test.each(rolling)('while a segment rolls: %s', async (_, step, hit) => {
    const tag = `s${row++}`
    const fired = [...events(tag, 4), ...fillers(tag, 1_000)]
    all.push(...fired)
    await scene.order({ step, hit })
    const sent = scene.sender.send(fired, 32)
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
