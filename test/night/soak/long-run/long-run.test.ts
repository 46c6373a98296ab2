import { expect, test } from 'vitest'
import { judgeFlat } from './flat.ts'
import { liveWeeks } from './weeks.ts'

test('over simulated weeks memory, handles, files and metrics stay flat', { timeout: 600_000 }, async () => {
  const { samples } = await liveWeeks({ warmUp: { hops: 0 }, every: { hops: 2 }, samples: 15 })
  const growing = judgeFlat(samples).filter(({ isFlat }) => !isFlat)
  expect(growing).toEqual([])
})
