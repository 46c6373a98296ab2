import { expect, test } from 'vitest'
import { learn } from '../../../../src/intake/detect/detect.ts'
import { createNotices, judged } from '../../../../src/intake/poll/notices.ts'
import { pollingStateFrom } from '../../../../src/intake/poll/state.ts'
import { days, learnt, noisy, noon, see } from '../detect/readings.ts'

test('check says of each model whether its figures can be judged, and if not why and what would help', () => {
  const empty = pollingStateFrom(undefined, 0)
  const modelState = (days: number) => ({
    detector: learnt(days),
    askedAt: null,
    historyAt: null,
    newsFrom: 0,
  })
  const models = { claude: modelState(60), gemini: modelState(4) }
  const stored: unknown = JSON.parse(JSON.stringify({ ...empty, figures: { ...empty.figures, models } }))
  expect(judged(stored, ['claude', 'gemini', 'qwen'])).toEqual([
    { model: 'claude', isJudged: true, detail: 'can be judged, by 49 readings, one about every 24 h' },
    {
      model: 'gemini',
      isJudged: false,
      detail: 'only 4 of its readings are known; detection starts with 7',
    },
    { model: 'qwen', isJudged: true, detail: 'not known yet: serve has not read its history' },
  ])
})

test('operators and check say that falls of ten points are missed, and what would help', () => {
  const fortnightly = (from: number, count: number) => days(from, count, (time) => noisy(14 * time, 0.2))
  const { state, remarks } = see(learn(fortnightly(-26, 26)).state, fortnightly(0, 1))
  const empty = pollingStateFrom(undefined, 0)
  const claude = { detector: state, askedAt: null, historyAt: null, newsFrom: 0, firstRead: [] }
  const figures = { ...empty.figures, models: { claude } }
  const obstacle =
    'falls are not found within a fortnight, since its readings are 14 days apart; more frequent readings would help'
  const stored: unknown = JSON.parse(JSON.stringify({ ...empty, figures }))
  expect(judged(stored, ['claude'])).toEqual([{ model: 'claude', isJudged: false, detail: obstacle }])
  const reported: unknown[] = []
  const incidents = {
    opens: (key: string, report: object) => void reported.push([key, report]),
    resolves: (key: string) => void reported.push(key),
    once: async () => {},
  }
  createNotices(incidents).models({ figures, remarks: new Map([['claude', remarks]]) }, noon(1), noon(0))
  expect(reported).toEqual([
    [
      'figures:claude',
      {
        title: 'The figures of claude cannot be used',
        text: `claude: ${obstacle} (since 2026-01-01T12:00:00.000Z).`,
      },
    ],
  ])
})
