import { describe, expect, test } from 'vitest'
import { type PaletteName, palettes } from '../../../../src/message/chart/palette.ts'
import {
  type RateReading,
  type RateSeries,
  ratesOf,
  type SeriesParts,
  seriesOf,
} from '../../../../src/message/chart/series.ts'
import { svgOf } from '../../../../src/message/chart/svg.ts'
import { altText } from '../../../../src/message/chart/words.ts'
import { english } from '../../../../src/message/words/words.ts'
import { dayMs } from '../../../../src/platform/durations.ts'
import { example } from '../../../system/chart/examples.ts'

const now = Date.UTC(2026, 10, 22, 12)
const looks: PaletteName[] = ['light', 'dark']

function series(readings: readonly RateReading[], more: Partial<SeriesParts> = {}): RateSeries {
  const parts = {
    model: 'Claude',
    category: 'political',
    isSizeOfAll: false,
    span: 90,
    now,
    readings,
  } as const
  return seriesOf({ ...parts, ...more })
}

function wordsOf(svg: string): string[] {
  return Array.from(svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g), ([, words = '']) => words)
}

describe.each(looks)('the chart, %s,', (look) => {
  test('shows ninety days, the sampling errors, the band of the baseline and the change', () => {
    const svg = svgOf(example, look, english)
    expect(wordsOf(svg)).toEqual(
      expect.arrayContaining([
        'Claude: political prompts refused',
        'Percent per day, 25 Aug 2026 – 22 Nov 2026',
        'change, 15 Nov',
        'a day, with its 95% confidence interval',
        'before the change: 18.0%, usually 15.2–21.0%',
      ]),
    )
    // One for each day with a reading, and the one that the legend shows.
    expect(svg.match(/<circle/g)).toHaveLength(example.days.length + 1)
    const errors = /<path d="([^"]*)" stroke="[^"]*" stroke-opacity/.exec(svg)?.[1]
    expect(errors?.match(/M/g)).toHaveLength(example.days.length)
    expect(svg).toContain(`fill="${palettes[look].band}"`)
    expect(svg).toContain(`aria-label="${altText(example, english)}"`)
  })

  test('draws no line over a week without readings', () => {
    const line = /<path d="([^"]*)" stroke="[^"]*" stroke-width="1.5" stroke-linejoin/.exec(
      svgOf(example, look, english),
    )
    expect(line?.[1]?.match(/M/g)).toHaveLength(2)
  })
})

describe('what is odd', () => {
  test.each<[string, RateSeries]>([
    ['no reading', series([])],
    ['one reading', series([{ at: now, percent: 12, sampleSize: 500 }])],
    ['0%', series([1, 2, 3].map((day) => ({ at: now - day * dayMs, percent: 0, sampleSize: 500 })))],
    ['100%', series([1, 2, 3].map((day) => ({ at: now - day * dayMs, percent: 100, sampleSize: 500 })))],
    [
      'from 0 to 100%',
      series([0, 100].map((percent, day) => ({ at: now - day * dayMs, percent, sampleSize: 9 }))),
    ],
    [
      'unknown sizes',
      series([1, 2, 3].map((day) => ({ at: now - day * dayMs, percent: 9, sampleSize: null }))),
    ],
    ['a single day', series([{ at: now, percent: 12, sampleSize: 500 }], { span: 1 })],
    ['a change on the first day', series([], { change: { at: now - 89 * dayMs, before: 12 } })],
  ])('%s is drawn within the picture', (_, odd) => {
    const svg = svgOf(odd, 'light', english)
    expect(svg).not.toMatch(/NaN|Infinity|undefined/)
    const places = Array.from(svg.matchAll(/ c?x="([\d.-]+)" c?y="([\d.-]+)"/g), ([, x, y]) => [
      Number(x),
      Number(y),
    ])
    expect(places.length).toBeGreaterThan(0)
    for (const [x = -1, y = -1] of places) {
      expect(x).toBeGreaterThanOrEqual(0)
      expect(x).toBeLessThanOrEqual(400)
      expect(y).toBeGreaterThanOrEqual(0)
      expect(y).toBeLessThanOrEqual(250)
    }
  })

  test('a model of any name is a name, and not too long', () => {
    const svg = svgOf(series([], { model: `<b>&"${'x'.repeat(300)}` }), 'light', english)
    expect(svg).not.toContain('<b>')
    expect(wordsOf(svg)[0]).toMatch(/^&#60;b&#62;&#38;&#34;x+…: political prompts refused$/)
  })

  test('where no size is known, it says so', () => {
    const svg = svgOf(series([{ at: now, percent: 12, sampleSize: null }]), 'light', english)
    expect(wordsOf(svg)).toContain('a day; confidence interval unknown')
    expect(svg).not.toContain('stroke-opacity')
  })

  /** What stands above the marks, each with its sides: a character is 7 pixels wide at most. */
  function signsIn(svg: string) {
    const signs = svg.matchAll(/<text x="([\d.]+)" y="51"[^>]*>([^<]*)</g)
    return Array.from(signs, ([, x = '', sign = '']) => {
      const half = (sign.length * 7) / 2
      return { sign, left: Number(x) - half, right: Number(x) + half }
    })
  }

  test.each<[string, number[], string[]]>([
    ['at the edge', [0, 1], ['1, 2']],
    ['at both edges', [0, 89], ['2', '1']],
    ['twenty within four days', Array.from({ length: 20 }, (_, index) => index / 5), ['1–20']],
    ['twenty within a month', Array.from({ length: 20 }, (_, index) => index * 1.5), ['10–20', '2–9', '1']],
    ['two a week', [1, 3, 8, 10, 15, 17], ['3–6', '1, 2']],
  ])('signs %s are not cut off and not over each other, the newest number first', (_, days, expected) => {
    const marks = days.map((day, index) => ({ at: now - day * dayMs, sign: String(index + 1) }))
    const readings = [1, 2, 3].map((day) => ({ at: now - day * dayMs, percent: 9, sampleSize: 500 }))
    const signs = signsIn(svgOf(series(readings), 'light', english, marks))
    expect(signs.map(({ sign }) => sign)).toEqual(expected)
    const sides = signs.flatMap(({ left, right }) => [left, right])
    expect(sides).toEqual(sides.toSorted((one, other) => one - other))
    expect(sides.at(0)).toBeGreaterThanOrEqual(0)
    expect(sides.at(-1)).toBeLessThanOrEqual(400)
  })

  test('a sign that is no number stands beside the numbers once', () => {
    const marks = ['1', '•', '2', '•'].map((sign, day) => ({ at: now - day * dayMs, sign }))
    expect(signsIn(svgOf(series([]), 'light', english, marks)).map(({ sign }) => sign)).toEqual(['1, 2, •'])
  })

  test('it says from which day on readings are more frequent, since intervals are narrower then', () => {
    const readings = Array.from({ length: 40 }, (_, day) =>
      Array.from({ length: day < 10 ? 4 : 1 }, (__, hour) => ({
        at: now - day * dayMs - hour * 3_600_000,
        percent: 20,
        sampleSize: 500,
      })),
    ).flat()
    const often = series(readings)
    expect(often.denser).toEqual({ at: Date.UTC(2026, 10, 13), readings: 4 })
    expect(wordsOf(svgOf(often, 'light', english))).toContain('From 13 Nov on, 4 readings a day')
    // Also in the middle, the label stands within the plot: a letter is 5.8 pixels wide at most.
    for (const day of [44, 45]) {
      const denser = { at: now - day * dayMs, readings: 4 }
      const svg = svgOf({ ...often, denser }, 'light', english)
      const [, x = '', anchor, label = ''] =
        /x="([\d.]+)"[^>]*text-anchor="(\w+)"[^>]*>(From [^<]*)</.exec(svg) ?? []
      const length = label.length * 5.8
      const left = anchor === 'end' ? Number(x) - length : Number(x)
      expect(left).toBeGreaterThanOrEqual(40)
      expect(left + length).toBeLessThanOrEqual(388)
    }
    expect(altText(often, english)).toContain('From 13 Nov on, 4 readings a day.')
    expect(series(readings.filter((_, index) => index >= 40)).denser).toBeUndefined()
  })

  test('small differences do not fill the picture', () => {
    const { bottom, top } = ratesOf(
      series([0, 1, 2].map((day) => ({ at: now - day * dayMs, percent: 40 + day / 10, sampleSize: null }))),
    )
    expect(top - bottom).toBeGreaterThanOrEqual(10)
  })
})

describe.each(looks)('the colours, %s,', (look) => {
  const palette = palettes[look]

  test('are readable: words 4.5 to 1, lines 3 to 1 (WCAG 2.2, 1.4.3 and 1.4.11)', () => {
    for (const words of [palette.ink, palette.muted, palette.change]) {
      expect(contrast(words, palette.background)).toBeGreaterThanOrEqual(4.5)
    }
    for (const line of [palette.line, palette.change, palette.mean]) {
      expect(contrast(line, palette.background)).toBeGreaterThanOrEqual(3)
    }
    expect(contrast(palette.line, palette.band)).toBeGreaterThanOrEqual(3)
  })

  test.each(Object.entries(deficiencies))('stay apart for readers with %s', (_, matrix) => {
    const [line, change] = [seenWith(matrix, palette.line), seenWith(matrix, palette.change)]
    const apart = Math.hypot(...line.map((value, index) => value - (change[index] ?? 0)))
    expect(apart).toBeGreaterThan(80)
  })
})

/** Machado, Oliveira and Fernandes 2009, "A Physiologically-based Model for Simulation of Color Vision Deficiency", severity 1. */
const deficiencies = {
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
}

function seenWith(matrix: readonly number[], colour: string): number[] {
  const seen = channels(colour)
  return [0, 3, 6].map((row) =>
    seen.reduce((sum, value, index) => sum + value * (matrix[row + index] ?? 0), 0),
  )
}

function channels(colour: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16))
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
