import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type HeartbeatSettings, startHeartbeat } from '../../../src/operators/heartbeat.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'

const minute = 60_000

async function beating() {
  const beatsSeen: string[] = []
  const world = { status: 200, isWell: true }
  const server = createServer((request, response) => {
    beatsSeen.push(`${request.method} ${request.url}`)
    response.writeHead(world.status).end('OK')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const clock = createManualClock(Date.parse('2026-11-22T12:00:00Z'))
  const errors: unknown[] = []
  const settings: { now: HeartbeatSettings | undefined } = {
    now: { url: `http://127.0.0.1:${port}/ping/1`, every: 5 * minute },
  }
  const stop = startHeartbeat({
    clock,
    settings: () => settings.now,
    isWell: async () => world.isWell,
    onError: (error) => void errors.push(error),
  })
  onTestFinished(async () => {
    await stop()
    server.closeAllConnections()
    server.close()
  })
  /** Lets so many minutes pass, one by one, until so many requests have come in all; answers how many have. */
  async function pass(minutes: number, beats: number): Promise<number> {
    for (let past = 0; past < minutes; past++) {
      await expect.poll(() => clock.sleeping()).toBeGreaterThan(0)
      await clock.advance(minute)
    }
    await expect.poll(() => beatsSeen.length).toBe(beats)
    await expect.poll(() => clock.sleeping()).toBeGreaterThan(0)
    return beatsSeen.length
  }
  return { asked: beatsSeen, world, settings, errors, pass }
}

test('a dead man’s switch is asked with GET every five minutes while all is well', async () => {
  const { asked, pass } = await beating()
  expect(await pass(0, 1)).toBe(1)
  expect(await pass(14, 3)).toBe(3)
  expect(new Set(asked)).toEqual(new Set(['GET /ping/1']))
})

test('is not asked while something is wrong, and again as soon as it is well', async () => {
  const { world, pass } = await beating()
  expect(await pass(0, 1)).toBe(1)
  world.isWell = false
  expect(await pass(30, 1)).toBe(1)
  world.isWell = true
  expect(await pass(1, 2)).toBe(2)
})

test('what it answers is reported where it is an error, and a changed configuration is heeded within a minute', async () => {
  const { world, settings, errors, pass } = await beating()
  expect(await pass(0, 1)).toBe(1)
  world.status = 404
  expect(await pass(5, 2)).toBe(2)
  expect(errors.map(String)).toEqual(['Error: the heartbeat was answered 404'])
  const before = settings.now
  settings.now = undefined
  expect(await pass(20, 2)).toBe(2)
  settings.now = before && { ...before, every: minute }
  expect(await pass(2, 4)).toBe(4)
})
