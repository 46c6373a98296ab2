import { expect, test } from 'vitest'
import { dayMs } from '../../../src/platform/durations.ts'
import type { HistoryPoint } from '../../../src/service/client/endpoints/history.ts'
import { foundIn, pastService } from '../../../src/trial/published.ts'
import { noisy, noon } from '../intake/detect/readings.ts'

/** A reading each noon for so many days; from day 200 on, more political prompts are refused. */
function read(days: number): HistoryPoint[] {
  return Array.from({ length: days }, (_, day) => {
    const { at, version, rates, counts } = noisy(day, 0.2, 7, day >= 200 ? { political: 0.25 } : {})
    return { at, version, rates, sampleSize: 500, sampleSizes: counts }
  })
}

test('a step in the published history is found when polling would have found it, and once', async () => {
  const histories = new Map([
    ['claude', read(260)],
    ['gemini', read(190)],
  ])
  const span = { from: noon(150), to: noon(250), rates: 'auto' as const }
  const steps = (await foundIn(histories, span)).filter(({ confirms }) => confirms === undefined)
  expect(steps).toMatchObject([{ model: 'claude', category: 'political', source: 'poll', found: true }])
  const [step] = steps
  const foundAt = Date.parse(step?.receivedAt ?? '')
  expect(foundAt).toBeGreaterThanOrEqual(noon(200))
  expect(foundAt).toBeLessThan(noon(203))
  expect(step).not.toHaveProperty('missedSince')
  expect(step?.delta).toBeGreaterThan(15)
  expect(await foundIn(histories, span)).toEqual(await foundIn(histories, span))
})

test('what was before the time, or comes after it, is not found', async () => {
  const histories = new Map([['claude', read(260)]])
  expect(await foundIn(histories, { from: noon(100), to: noon(199), rates: 'auto' })).toEqual([])
  expect(await foundIn(histories, { from: noon(220), to: noon(259), rates: 'auto' })).toEqual([])
})

test('the service as it was then knows nothing of what came later', async () => {
  let now = noon(10)
  const then = pastService(new Map([['claude', read(40)]]), () => now)
  expect(await then.history('claude', { period: '7d' })).toMatchObject({ points: { length: 7 } })
  expect(await then.metrics('claude')).toMatchObject({ lastUpdated: new Date(noon(10)).toISOString() })
  now = noon(0) - dayMs
  expect(await then.compare(['claude'])).toMatchObject({ models: [], missing: ['claude'] })
  await expect(then.metrics('claude')).rejects.toThrow('no figures of claude had been read')
})
