import { expect, test } from 'vitest'
import { judged } from '../../../src/poll/judged.ts'
import { pollingStateFrom } from '../../../src/poll/state.ts'
import { learnt } from '../detect/readings.ts'

test('check says of each model whether its figures can be judged, and if not why and what would help', () => {
  const empty = pollingStateFrom(undefined, 0)
  const known = (days: number) => ({
    detector: learnt(days),
    askedAt: null,
    historyAt: null,
    newsFrom: 0,
  })
  const models = { claude: known(60), gemini: known(4) }
  const stored: unknown = JSON.parse(JSON.stringify({ ...empty, figures: { ...empty.figures, models } }))
  expect(judged(stored, ['claude', 'gemini', 'qwen'])).toEqual([
    { model: 'claude', isJudged: true, detail: 'can be judged, by 49 readings, one about every 24 h' },
    {
      model: 'gemini',
      isJudged: false,
      detail: 'only 4 of its readings are known; from 7 on it is judged',
    },
    { model: 'qwen', isJudged: true, detail: 'not known yet: serve has not read its history' },
  ])
})
