import { expect, test, vi } from 'vitest'
import { run } from '../../system/e2e/process.ts'
import { eventsOf, openToolDesk } from '../../system/e2e/tool-desk.ts'

test('killed before it had its answer, the next process says under the same id that it may be a duplicate', {
  timeout: 150_000,
}, async () => {
  const { receiver, file, serve, deliver } = await openToolDesk()
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
  expect(eventsOf(receiver).map(({ delivery: id }) => id)).toEqual([
    'evt_1',
    expect.stringMatching(/^evt_1-again-/),
  ])
  second.kill()
  expect(await second.ended).toBe(0)
})

test('killed before it could edit, the next process makes the edit under the same id', {
  timeout: 150_000,
}, async () => {
  const { receiver, serve, report } = await openToolDesk()
  const first = await serve()
  expect(await report('+12pp')).toBe(202)
  await vi.waitUntil(() => receiver.received.length === 1)
  // The correction goes first, and what is edited after it gets no answer.
  receiver.answer({ status: 204 }, 'hang')
  expect(await report('+9pp')).toBe(202)
  await vi.waitUntil(() => receiver.received.length === 3)
  expect(eventsOf(receiver).at(-1)?.type).toBe('alert.edited')
  first.kill('SIGKILL')
  await first.ended
  const second = await serve()
  await vi.waitUntil(() => receiver.received.length === 4)
  const [, , cut, made] = eventsOf(receiver)
  expect([made?.type, made?.delivery]).toEqual(['alert.edited', cut?.delivery])
  second.kill()
  expect(await second.ended).toBe(0)
})
