import type { CategoryArguments } from '../phrases.ts'

/** What was usual: before the change, or over all that is shown where there is none. */
interface UsualRateArguments {
  since: 'change' | 'all'
  mean: string
  /** `yes` where enough days show a range. */
  ranged: 'yes' | 'no'
  range: string
}

/** `wider`: the sizes are those of all prompts, of which the category is a part. */
interface SamplingError {
  known: 'yes' | 'no'
  wider: 'yes' | 'no'
}

/** What stands on a chart, and the same in words for who cannot see it. Rates, ranges and days are written by Intl. */
export interface ChartPhrases {
  /** A rate or a range of them. */
  percent: { rate: string }
  chart: null
  lastDays: { days: number }
  /** Of some 46 characters, so that it fits on the picture. */
  chartTitle: CategoryArguments & { model: string }
  chartSpan: { from: string; to: string }
  chartEmpty: null
  chartChange: { day: string }
  chartDay: SamplingError
  chartUsual: UsualRateArguments

  altAbout: { title: string; from: string; to: string }
  altEmpty: null
  altUsual: UsualRateArguments
  altNothingSince: { day: string }
  altSince: { day: string; mean: string; days: number }
  altLast: SamplingError & { rate: string; day: string; range: string }
  altExtremes: { lowest: string; lowestDay: string; highest: string; highestDay: string }
  altMissing: { days: number }
}
