import { expect, test } from 'vitest'
import { type SeriesParts, seriesOf } from '../../../../src/message/chart/series.ts'
import { altText } from '../../../../src/message/chart/words.ts'
import { english } from '../../../../src/message/words/words.ts'
import { dayMs } from '../../../../src/platform/durations.ts'
import { example } from '../../../system/chart/examples.ts'

const now = Date.UTC(2026, 10, 22, 12)

function altOf(parts: Partial<SeriesParts>): string {
  return altText(
    seriesOf({
      model: 'Claude',
      category: 'overall',
      isSizeOfAll: false,
      readings: [],
      span: 7,
      now,
      ...parts,
    }),
    english,
  )
}

test('the words say what the picture shows', () => {
  expect(altText(example, english)).toBe(
    'Claude: political prompts refused, percent per day, 25 Aug 2026 to 22 Nov 2026. Before the change: 18.0%, usually 15.2–21.0%. Change marked on 15 Nov; since then 29.8% over 8 days. Latest: 29.8% on 22 Nov (95% confidence interval 26.0–34.0%). Lowest 14.2% on 27 Aug, highest 32.4% on 17 Nov. 7 days without a reading.',
  )
})

test('without a reading they say so', () => {
  expect(altOf({})).toBe(
    'Claude: prompts refused, percent per day, 16 Nov 2026 to 22 Nov 2026. There is no reading.',
  )
})

test('a single reading of unknown size is said to be one', () => {
  expect(altOf({ readings: [{ at: now, percent: 0, sampleSize: null }] })).toBe(
    'Claude: prompts refused, percent per day, 16 Nov 2026 to 22 Nov 2026. Mean: 0.0%. Latest: 0.0% on 22 Nov; confidence interval unknown. 6 days without a reading.',
  )
})

test('a change that no reading shows yet is said to be one', () => {
  const readings = [2, 3].map((day) => ({ at: now - day * dayMs, percent: 12, sampleSize: 500 }))
  expect(altOf({ readings, change: { at: now, before: null } })).toContain(
    'Before the change: 12.0%. Change marked on 22 Nov; no reading since.',
  )
})

test('where the prompts are those of all categories, the sampling error is said to be wider', () => {
  const readings = [{ at: now, percent: 50, sampleSize: 500 }]
  expect(altOf({ readings, category: 'safety', isSizeOfAll: true })).toContain(
    '(95% confidence interval 45.6–54.4%, at least this wide)',
  )
})
