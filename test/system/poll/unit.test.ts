import { describe, expect, test } from 'vitest'
import type { PollClient } from '../../../src/intake/poll/fetch.ts'
import type { HistoryPoint } from '../../../src/service/client/endpoints/history.ts'
import type { ModelMetrics } from '../../../src/service/client/endpoints/metrics.ts'
import { dayMs, hourMs, openDesk, start } from './desk.ts'
import { measuring } from './measuring.ts'

/** What 20% are multiplied by, as the service writes them: 100 is percent, and 1 a fraction. */
type Scale = (model: string, at: number) => number

const changesAt = start + 2 * dayMs

/** Five models at 20%, measured four times a day, and written as the scale says. */
function writing(scale: Scale, now: () => number, compares: boolean): PollClient {
  const client = measuring(dayMs / 4, 120, now, { compares })
  const times = (rate: number | null, by: number) => (rate === null ? null : Number((rate * by).toFixed(4)))
  function metricsOf(read: ModelMetrics): ModelMetrics {
    const by = scale(read.model, Date.parse(read.lastUpdated ?? ''))
    return {
      ...read,
      overallRefusalRate: times(read.overallRefusalRate, by),
      politicalRefusalRate: times(read.politicalRefusalRate, by),
      safetyRefusalRate: times(read.safetyRefusalRate, by),
    }
  }
  function pointOf(point: HistoryPoint, by: number): HistoryPoint {
    const { overall, political, safety, social } = point.rates
    const rates = {
      overall: times(overall, by),
      political: times(political, by),
      safety: times(safety, by),
      social: times(social, by),
    }
    return { ...point, rates }
  }
  return {
    ...client,
    async compare(models) {
      const answer = await client.compare(models)
      return { ...answer, models: answer.models.map(metricsOf) }
    },
    metrics: async (model) => metricsOf(await client.metrics(model)),
    async history(model) {
      const answer = await client.history(model)
      const points = answer.points.map((point) => pointOf(point, scale(model, Date.parse(point.at))))
      return { ...answer, points }
    },
  }
}

describe.each([true, false])('with a comparison of all models (%s)', (compares) => {
  async function openUnitDesk(scale: Scale) {
    const desk = await openDesk({ poll: { interval: hourMs / 2 } })
    const poller = desk.startPoller({ client: writing(scale, desk.clock.now, compares) })
    const changes = () => desk.taken.map(({ model, delta }) => [model, Math.sign(delta ?? 0)])
    return { ...desk, poller, changes }
  }

  test('one model that is written as fractions is no collapse; operators know, and others are judged', async () => {
    let isFraction = true
    const desk = await openUnitDesk((model, at) => {
      if (at < changesAt) return 100
      if (model === 'claude') return isFraction ? 1 : 100
      return model === 'gemini' ? 190 : 100
    })
    await desk.pass(desk.poller, 5 * dayMs)
    expect(desk.changes()).toEqual([['gemini', 1]])
    expect(desk.notices).toEqual([
      expect.stringMatching(
        /^The figures of claude cannot be used: claude: overall, political, safety cannot be read as a rate or a time \(since 2026-03-03T[^;]*\)\.$/,
      ),
    ])
    isFraction = false
    await desk.pass(desk.poller, dayMs)
    expect(desk.changes()).toEqual([['gemini', 1]])
    expect(desk.notices.slice(1)).toEqual(['over: The figures of claude can be used again'])
    expect(desk.errors).toEqual([])
  })

  test('a true fall to a tenth is found', async () => {
    const desk = await openUnitDesk((model, at) => (model === 'claude' ? (at < changesAt ? 155 : 15) : 100))
    await desk.pass(desk.poller, 4 * dayMs)
    expect(desk.changes()).toEqual([['claude', -1]])
    expect(desk.notices).toEqual([])
  })
})

test('a model that refuses nearly nothing is judged', async () => {
  const scale: Scale = (model, at) => {
    if (model !== 'claude') return 100
    if (at >= changesAt + dayMs) return 40
    return at < changesAt ? 2.5 : 2
  }
  const desk = await openDesk({ poll: { interval: hourMs / 2 } })
  const poller = desk.startPoller({ client: writing(scale, desk.clock.now, true) })
  await desk.pass(poller, 3 * dayMs)
  expect(desk.taken).toEqual([])
  await desk.pass(poller, 2 * dayMs)
  expect(desk.taken.map(({ model }) => model)).toEqual(['claude'])
  expect(desk.notices).toEqual([])
})
