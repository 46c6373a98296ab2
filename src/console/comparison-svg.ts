import { type PaletteName, palettes } from '../message/chart/palette.ts'
import { meanOf, type RateSeries, ratesOf } from '../message/chart/series.ts'
import { escaped, n, text } from '../message/chart/svg.ts'
import { percentText } from '../platform/text.ts'

const width = 400
const rowHeight = 30
const left = 84
const right = width - 56
const top = 20

/** The last reading of each model, with its sampling error, and the mean of all its days; of days that there are. */
export function comparisonSvg(all: readonly RateSeries[], look: PaletteName): string {
  const { background, ink, muted, grid, line, mean } = palettes[look]
  const rows = all.flatMap(({ model, days }) => {
    const last = days.at(-1)
    return last === undefined ? [] : [{ model, last, usual: meanOf(days) }]
  })
  const drawn = rows.flatMap(({ last, usual }) => [last, { ...last, percent: usual, error: null }])
  const { bottom, top: most, ticks } = ratesOf({ days: drawn, baseline: null })
  const x = (percent: number) => left + ((percent - bottom) / (most - bottom)) * (right - left)
  const end = top + rows.length * rowHeight
  const height = end + 62
  const y = (row: number) => top + (row + 0.5) * rowHeight
  const legend = end + 36
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" lang="en" aria-label="${escaped(comparisonText(all))}" font-family="Inter, sans-serif" font-size="11">`,
    `<rect width="${width}" height="${height}" fill="${background}"/>`,
    ...ticks.flatMap((tick) => [
      `<path d="M${n(x(tick))} ${top}V${end}" stroke="${grid}" fill="none"/>`,
      text(x(tick), end + 14, `${tick}%`, { fill: muted, anchor: 'middle' }),
    ]),
    ...rows.flatMap(({ model, last, usual }, row) => [
      text(left - 8, y(row) + 4, model, { fill: ink, anchor: 'end', isStrong: true }),
      ...(last.error === null
        ? []
        : [
            `<path d="M${n(x(last.error.from))} ${n(y(row))}H${n(x(last.error.to))}" stroke="${line}" stroke-opacity="0.35" stroke-width="7" fill="none"/>`,
          ]),
      `<path d="M${n(x(usual))} ${n(y(row) - 8)}v16" stroke="${mean}" stroke-width="2" fill="none"/>`,
      `<circle cx="${n(x(last.percent))}" cy="${n(y(row))}" r="4" fill="${line}"/>`,
      text(width - 8, y(row) + 4, percentText(last.percent), { fill: ink, anchor: 'end' }),
    ]),
    `<path d="M14 ${legend - 4}h16" stroke="${line}" stroke-opacity="0.35" stroke-width="7"/>`,
    `<circle cx="22" cy="${legend - 4}" r="4" fill="${line}"/>`,
    text(40, legend, 'the last day, with its 95% confidence interval', { fill: ink }),
    `<path d="M22 ${legend + 6}v14" stroke="${mean}" stroke-width="2"/>`,
    text(40, legend + 17, 'mean of the ninety days', { fill: ink }),
    '</svg>\n',
  ].join('\n')
}

/** What the picture says, in words. */
export function comparisonText(all: readonly RateSeries[]): string {
  const phrases = all.flatMap(({ model, days }) => {
    const last = days.at(-1)
    return last === undefined
      ? []
      : [`${model} ${percentText(last.percent)} (mean ${percentText(meanOf(days))})`]
  })
  return `Refused on the last day, by model: ${phrases.join(', ')}.`
}
