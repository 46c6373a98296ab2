import { expect, test } from 'vitest'
import { createRecent } from '../../../../src/record/figures/recent.ts'

function open() {
  let now = 0
  let made = 0
  const recent = createRecent<Promise<number>>({ most: 2, forMs: 1_000, failedForMs: 0 }, { now: () => now })
  return {
    ask: (key: string) => recent(key, async () => (made += 1)),
    fail: (key: string) => recent(key, () => Promise.reject(new Error('it failed'))),
    at(time: number) {
      now = time
    },
  }
}

test('what was made lately is made once', async () => {
  const { ask, at } = open()
  expect([await ask('a'), await ask('a')]).toEqual([1, 1])
  at(999)
  expect(await ask('a')).toBe(1)
  at(1_000)
  expect(await ask('a')).toBe(2)
  // The clock was set back by an hour.
  at(-3_600_000)
  expect(await ask('a')).toBe(3)
})

test('the oldest makes room', async () => {
  const { ask } = open()
  for (const key of ['a', 'b', 'c', 'd']) await ask(key)
  expect(await ask('d')).toBe(4)
  expect(await ask('a')).toBe(5)
})

test('what failed is made again', async () => {
  const { ask, fail } = open()
  await expect(fail('a')).rejects.toThrow('it failed')
  expect(await ask('a')).toBe(1)
})
