import { expect, test } from 'vitest'
import { createMemoryBacking } from '../../../src/store/memory/backing.ts'
import { describeStore, event, sent, start } from '../../contract/store.ts'

describeStore('memory store', async ({ now }) => {
  const backing = createMemoryBacking({ now })
  return {
    open: async () => backing.open(),
    openAfterCrash: async () => backing.copy().open(),
  }
})

function openTwo() {
  let now = start
  const backing = createMemoryBacking({ now: () => now, termMs: 30_000 })
  const [one, other] = [backing.open(), backing.open()]
  return {
    one,
    other,
    pass(milliseconds: number) {
      now += milliseconds
    },
    lease: (from: typeof one) => from.lease('desk', { now, limit: 9, leaseMs: 600_000 }),
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
  pass(29_999)
  expect(await lease(other)).toEqual([])
  pass(1)
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
