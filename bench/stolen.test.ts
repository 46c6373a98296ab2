import { describe, expect, test } from 'vitest'
import { told, undisturbed } from './stolen.ts'

function loads(...stolen: number[]) {
  return (attempt: number) => Promise.resolve({ attempt, stolen: stolen[attempt] ?? 0 })
}

describe('a load that counts', () => {
  test('is the first during which next to nothing was withheld', async () => {
    const tries = await undisturbed(loads(0.04, 0.02, 0.009, 0), 10)
    expect(tries.counted).toEqual({ attempt: 2, stolen: 0.009 })
    expect(told([tries])).toBe('1 of 3 loads count')
  })

  test('is the least disturbed, and marked as such, if there was no such one', async () => {
    const tries = await undisturbed(loads(0.04, 0.02, 0.03, 0), 3)
    expect(tries.counted).toEqual({ attempt: 1, stolen: 0.02 })
    expect(tries.all).toHaveLength(3)
    expect(told([tries, await undisturbed(loads(0), 3)])).toBe('2 of 4 loads count, 1 of them disturbed')
  })
})
