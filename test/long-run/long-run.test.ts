import { expect, test } from 'vitest'
import { judgeFlat } from './flat.ts'
import { liveWeeks } from './weeks.ts'

test('over simulated weeks memory, handles, files and metrics stay flat', { timeout: 180_000 }, async () => {
  const { samples } = await liveWeeks(20_000, 15)
  const growing = judgeFlat(samples).filter(({ isFlat }) => !isFlat)
  expect(growing).toEqual([])
})
