import { expect, test } from 'vitest'
import type { StoreChange } from '../../../src/store/store.ts'
import { describeStore, event, sent, start, waiting } from '../../contract/store.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../support/memory-store.ts'

describeStore('shared store in memory', async ({ now }) => {
  const backing = createMemoryBacking({ now, sleep: () => new Promise(() => undefined) })
  return {
    open: async () => backing.open(),
    async openAfterCrash() {
      await backing.crash()
      return backing.open()
    },
  }
})

function openTwo() {
  const clock = createManualClock(start)
  const backing = createMemoryBacking({ ...clock, termMs: 30_000 })
  const [one, other] = [backing.open(), backing.open()]
  return {
    one,
    other,
    pass: clock.advance,
    lease: (from: typeof one) => from.leaseDue('desk', { now: clock.now(), limit: 9, leaseMs: 600_000 }),
  }
}

test('two processes at one store see what the other stored, and lease nothing that the other has', async () => {
  const { one, other, lease } = openTwo()
  expect(await one.accept([event('a')])).toEqual(['new'])
  expect(await other.accept([event('a'), event('b')])).toEqual(['duplicate', 'new'])
  const [owed] = await lease(one)
  expect((await lease(other)).map(({ eventId }) => eventId)).toEqual([])
  await other.settle('b', 'desk', sent())
  expect(await one.settle('a', 'desk', sent('mine'), owed?.lease)).toBe(true)
  expect((await other.find('a'))?.outcomes.desk).toEqual(sent('mine'))
  await one.close()
  expect(await other.accept([event('c')])).toEqual(['new'])
})

test('what a closed process had leased falls due at once, and what a killed one had when its term is over', async () => {
  const { one, other, lease, pass } = openTwo()
  await one.accept([event('a')])
  await lease(one)
  one.kill()
  await pass(29_999)
  expect(await lease(other)).toEqual([])
  await pass(1)
  expect(await lease(other)).toMatchObject([
    { eventId: 'a', uncertain: true, interrupted: expect.any(String) },
  ])
})

test('a killed process is answered nothing and changes nothing', async () => {
  const { one, other } = openTwo()
  one.kill()
  let isAnswered = false
  void one.accept([event('a')]).finally(() => {
    isAnswered = true
  })
  expect(await other.find('a')).toBeUndefined()
  expect(isAnswered).toBe(false)
})

const never = new AbortController().signal

test('one process holds a name at a time, and who waited longest has it next', async () => {
  const { one, other, pass } = openTwo()
  const first = await one.acquireLease('polling', never)
  expect(first).toMatchObject({ takenOver: false })
  expect(await other.acquireLease('retention', never)).toBeDefined()
  let second: Awaited<ReturnType<typeof other.acquireLease>>
  void other.acquireLease('polling', never).then((hold) => {
    second = hold
  })
  const tired = new AbortController()
  const third = one.acquireLease('polling', tired.signal)
  tired.abort()
  expect(await third).toBeUndefined()
  await pass(3_600_000)
  expect(second).toBeUndefined()
  first?.release()
  await pass(0)
  expect(second).toMatchObject({ takenOver: true })
  expect(second?.signal.aborted).toBe(false)
  first?.release()
  expect(second?.signal.aborted).toBe(false)
})

test.each([
  { how: 'closed', afterMs: 0 },
  { how: 'cut off', afterMs: 0 },
  { how: 'killed', afterMs: 30_000 },
])('what a process that is $how held is had by the next after $afterMs ms', async ({ how, afterMs }) => {
  const { one, other, pass } = openTwo()
  const hold = await one.acquireLease('polling', never)
  let isTaken = false
  void other.acquireLease('polling', never).then(() => {
    isTaken = true
  })
  if (how === 'killed') one.kill()
  else if (how === 'closed') await one.close()
  else one.lose()
  await pass(Math.max(0, afterMs - 1))
  expect(isTaken).toBe(afterMs === 0)
  await pass(1)
  expect(isTaken).toBe(true)
  expect(hold?.signal.aborted).toBe(how !== 'killed')
})

test('a process is notified of what others accept, replay and remember, but not of its own', async () => {
  const { one, other, pass } = openTwo()
  const heard: StoreChange[] = []
  const end = one.changes((change) => heard.push(change))
  await one.accept([event('own')])
  await other.accept([event('own'), event('a'), event('b', { desk: sent() })])
  await other.settle('a', 'desk', sent())
  await other.alter('b', 'desk', () => waiting({ againAt: '2026-11-21T13:05:00.000Z' }))
  await other.changeState('budget', () => 1)
  await other.changeState('budget', () => undefined)
  await pass(0)
  expect(heard).toEqual([
    { of: 'event', id: 'a', channels: ['desk'], isAbout: false },
    { of: 'event', id: 'b', channels: [], isAbout: false },
    { of: 'outcome', id: 'b', channel: 'desk', isAsked: true },
    { of: 'state', key: 'budget' },
  ])
  end()
  await other.changeState('budget', () => 2)
  await pass(0)
  expect(heard).toHaveLength(4)
})
