import { dayMs } from '../../platform/durations.ts'
import { cut } from '../../platform/text.ts'
import type { Words } from '../words/words.ts'
import { type Palette, type PaletteName, palettes } from './palette.ts'
import { type ChartDay, datesOf, type RateScale, type RateSeries, ratesOf } from './series.ts'
import { altText, dayAndYearText, dayText, denserText, errorOf, titleOf, usualOf } from './words.ts'

/** As wide as Slack shows a picture, in pixels of the screen. */
const width = 400
const height = 250
export const chartSize = { width, height }
const plot = { left: 40, right: width - 12, top: 66, bottom: height - 66 }
/** No smaller, or a phone's reader sees none of it. */
const small = 11
const longestTitle = 46
/** So many times the usual distance between two days is a hole, and no line is drawn over it. */
const hole = 3
/** The widest that a letter of a sentence, and of a strong sign, is on average; pixels. */
const letterWidth = 5.8
const signWidth = 7.2

interface Drawing {
  series: RateSeries
  words: Words
  palette: Palette
  rates: RateScale
  x(at: number): number
  y(percent: number): number
}

/** A change that is marked beside others, with a sign that is explained elsewhere. */
interface ChartMark {
  /** Milliseconds since the epoch. */
  at: number
  sign: string
}

/** The chart as a document of its own, with the same words for who cannot see it. The same for the same series. Pure. */
export function svgOf(
  series: RateSeries,
  look: PaletteName,
  words: Words,
  marks: readonly ChartMark[] = [],
): string {
  const palette = palettes[look]
  const rates = ratesOf(series)
  const drawing: Drawing = {
    series,
    words,
    palette,
    rates,
    x: (at) => plot.left + ((at - series.from) / (series.to - series.from)) * (plot.right - plot.left),
    y: (percent) =>
      plot.bottom - ((percent - rates.bottom) / (rates.top - rates.bottom)) * (plot.bottom - plot.top),
  }
  const alt = escaped(altText(series, words))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" lang="${words.language}" aria-label="${alt}" font-family="Inter, sans-serif" font-size="${small}">`,
    `<title>${alt}</title>`,
    `<rect width="${width}" height="${height}" fill="${palette.background}"/>`,
    ...heading(drawing),
    ...band(drawing),
    ...axes(drawing),
    ...errors(drawing),
    ...line(drawing),
    ...denser(drawing),
    ...change(drawing),
    ...marked(marks, drawing),
    ...legend(drawing),
    '</svg>\n',
  ].join('\n')
}

function heading({ series, words, palette }: Drawing): string[] {
  // Of a long name the end goes, not what is asked of the model.
  const others = titleOf({ ...series, model: '' }, words).length
  const title = titleOf({ ...series, model: cut(series.model, longestTitle - others) }, words)
  const span = words.say('chartSpan', {
    from: dayAndYearText(series.from, words),
    to: dayAndYearText(series.to - dayMs, words),
  })
  return [
    text(12, 22, title, { fill: palette.ink, size: 15, isStrong: true }),
    text(12, 38, span, { fill: palette.muted }),
  ]
}

function band({ series: { baseline, from, to, change: changedAt }, palette, x, y }: Drawing): string[] {
  if (baseline === null) return []
  const end = x(changedAt ?? to)
  const range = baseline.band
  // It goes on after the change: what is there now is compared with it.
  const mean = `<path d="M${plot.left} ${n(y(baseline.mean))}H${plot.right}" stroke="${palette.mean}" stroke-dasharray="2 3" fill="none"/>`
  if (range === null) return [mean]
  const [top, bottom] = [y(range.to), y(range.from)]
  const area = `<rect x="${n(x(from))}" y="${n(top)}" width="${n(end - x(from))}" height="${n(Math.max(bottom - top, 1))}" fill="${palette.band}"/>`
  return [area, mean]
}

function axes({ series, words, palette, rates, x, y }: Drawing): string[] {
  const { muted: fill } = palette
  const ticks = rates.ticks.flatMap((tick) => [
    `<path d="M${plot.left} ${n(y(tick))}H${plot.right}" stroke="${palette.grid}" fill="none"/>`,
    text(plot.left - 5, y(tick) + 4, words.say('percent', { rate: String(tick) }), { fill, anchor: 'end' }),
  ])
  const dates = datesOf(series, 5).map((at) =>
    text(x(at), plot.bottom + 16, dayText(at, words), { fill, anchor: 'middle' }),
  )
  if (series.days.length > 0) return [...ticks, ...dates]
  const middle = [(plot.left + plot.right) / 2, (plot.top + plot.bottom) / 2] as const
  return [
    ...ticks,
    ...dates,
    text(...middle, words.say('chartEmpty'), { fill: palette.ink, anchor: 'middle' }),
  ]
}

/** Side by side they read as an area; a single one as what it is. */
function errors({ series: { days, from, to }, palette, x, y }: Drawing): string[] {
  const ofDay = ((plot.right - plot.left) * dayMs) / (to - from)
  const wide = n(Math.min(Math.max(ofDay * 0.7, 1), 5))
  const path = days
    .flatMap(({ at, error }) =>
      error === null ? [] : [`M${n(x(at))} ${n(y(error.from))}V${n(y(error.to))}`],
    )
    .join('')
  if (path === '') return []
  return [
    `<path d="${path}" stroke="${palette.line}" stroke-opacity="0.35" stroke-width="${wide}" fill="none"/>`,
  ]
}

function line({ series: { days }, palette, x, y }: Drawing): string[] {
  const widest = hole * usualDistance(days)
  const path = days.map((day, index) => {
    const before = days[index - 1]
    const isGap = before === undefined || day.at - before.at > widest
    return `${isGap ? 'M' : 'L'}${n(x(day.at))} ${n(y(day.percent))}`
  })
  const dots = days.map(({ at, percent }) => {
    const radius = days.length < 40 ? 2.5 : 1.7
    return `<circle cx="${n(x(at))}" cy="${n(y(percent))}" r="${radius}" fill="${palette.line}"/>`
  })
  if (days.length < 2) return dots
  const joined = `<path d="${path.join('')}" stroke="${palette.line}" stroke-width="1.5" stroke-linejoin="round" fill="none"/>`
  return [joined, ...dots]
}

/** The median, in milliseconds. */
function usualDistance(days: readonly ChartDay[]): number {
  const distances = days.slice(1).map(({ at }, index) => at - (days[index]?.at ?? at))
  return distances.toSorted((one, other) => one - other)[Math.floor(distances.length / 2)] ?? dayMs
}

/** Why the intervals become narrower there. */
function denser({ series, words, palette, x }: Drawing): string[] {
  if (series.denser === undefined) return []
  const at = x(series.denser.at)
  const isLeft = at > (plot.left + plot.right) / 2
  const label = denserText(series.denser, words)
  const length = label.length * letterWidth
  // It may stand across its line, and never beyond the plot.
  const place = isLeft ? Math.max(at - 4, plot.left + 4 + length) : Math.min(at + 4, plot.right - length)
  const style = {
    fill: palette.muted,
    anchor: isLeft ? 'end' : 'start',
    halo: palette.background,
  } as const
  return [
    `<path d="M${n(at)} ${plot.top}V${plot.bottom}" stroke="${palette.mean}" stroke-dasharray="1 3" fill="none"/>`,
    text(place, plot.bottom - 5, label, style),
  ]
}

function change({ series: { change: changedAt }, words, palette, x }: Drawing): string[] {
  if (changedAt === null) return []
  const at = x(changedAt)
  const isLeft = at > (plot.left + plot.right) / 2
  const top = plot.top - 4
  const style = { fill: palette.change, anchor: isLeft ? 'end' : 'start', isStrong: true } as const
  const label = words.say('chartChange', { day: dayText(changedAt, words) })
  return [markLine(at, palette), arrow(at, palette), text(isLeft ? at - 9 : at + 9, top, label, style)]
}

function markLine(x: number, { change }: Palette): string {
  return `<path d="M${n(x)} ${plot.top - 4}V${plot.bottom}" stroke="${change}" stroke-width="1.5" stroke-dasharray="5 3" fill="none"/>`
}

function arrow(x: number, { change }: Palette): string {
  return `<path d="M${n(x - 5)} ${plot.top - 12}h10l-5 8z" fill="${change}"/>`
}

/** Marks that share one sign, since theirs would stand on each other. */
interface MarkGroup {
  marks: readonly ChartMark[]
  label: string
  /** Where their lines are, and the sign with its sides. */
  places: readonly number[]
  place: number
  left: number
  right: number
}

function marked(marks: readonly ChartMark[], { palette, x }: Drawing): string[] {
  const groups: MarkGroup[] = []
  for (const mark of marks.toSorted((one, other) => one.at - other.at)) {
    let group = groupOf([mark], x)
    for (
      let before = groups.at(-1);
      before !== undefined && before.right > group.left;
      before = groups.at(-1)
    ) {
      groups.pop()
      group = groupOf([...before.marks, ...group.marks], x)
    }
    groups.push(group)
  }
  return groups.flatMap(({ label, places, place }) => [
    ...places.map((at) => markLine(at, palette)),
    arrow(meanPlace(places), palette),
    text(place, plot.top - 15, label, { fill: palette.change, anchor: 'middle', isStrong: true }),
  ])
}

function groupOf(marks: readonly ChartMark[], x: Drawing['x']): MarkGroup {
  const label = labelOf(marks)
  const places = marks.map(({ at }) => x(at))
  const half = (label.length * signWidth) / 2
  // A picture ends at its edge.
  const place = Math.max(Math.min(meanPlace(places), width - half), half)
  return { marks, label, places, place, left: place - half, right: place + half + signWidth / 2 }
}

function meanPlace(places: readonly number[]): number {
  return places.reduce((sum, one) => sum + one, 0) / places.length
}

/** "1, 2" or "1–4": the newest first, as the marks are numbered. A sign that is no number stands once, at the end. */
function labelOf(marks: readonly ChartMark[]): string {
  const signs = [...new Set(marks.toReversed().map(({ sign }) => sign))]
  const numbers = signs.filter((sign) => /^\d+$/.test(sign))
  const [first, last] = [numbers[0], numbers.at(-1)]
  const short = numbers.length > 2 ? [`${first}–${last}`] : numbers
  return [...short, ...signs.filter((sign) => !numbers.includes(sign))].join(', ')
}

function legend({ series, words, palette }: Drawing): string[] {
  const { baseline, days } = series
  const rows: string[][] = []
  const row = () => height - 32 + rows.length * 18
  if (days.length > 0) {
    const samplingError = errorOf(days.find(({ error }) => error !== null) ?? { error: null }, series)
    rows.push([
      ...(samplingError.known === 'yes'
        ? [`<path d="M22 ${row() - 10}v13" stroke="${palette.line}" stroke-opacity="0.35" stroke-width="5"/>`]
        : []),
      `<circle cx="22" cy="${row() - 3.5}" r="2.5" fill="${palette.line}"/>`,
      text(plot.left, row(), words.say('chartDay', samplingError), { fill: palette.ink }),
    ])
  }
  const usual = usualOf(series, words)
  if (usual !== undefined) {
    const y = row() - 9
    rows.push([
      ...(baseline?.band ? [`<rect x="14" y="${y}" width="17" height="11" fill="${palette.band}"/>`] : []),
      `<path d="M14 ${y + 5.5}h17" stroke="${palette.mean}" stroke-dasharray="2 3"/>`,
      text(plot.left, row(), words.say('chartUsual', usual), { fill: palette.ink }),
    ])
  }
  return rows.flat()
}

export function text(
  x: number,
  y: number,
  words: string,
  style: {
    fill: string
    anchor?: 'start' | 'middle' | 'end'
    size?: number
    isStrong?: boolean
    halo?: string
  },
): string {
  const anchor = style.anchor === undefined ? '' : ` text-anchor="${style.anchor}"`
  const size = style.size === undefined ? '' : ` font-size="${style.size}"`
  const weight = style.isStrong === true ? ' font-weight="600"' : ''
  // Readable also over a line.
  const halo = style.halo === undefined ? '' : ` stroke="${style.halo}" stroke-width="3" paint-order="stroke"`
  return `<text x="${n(x)}" y="${n(y)}" fill="${style.fill}"${anchor}${size}${weight}${halo}>${escaped(words)}</text>`
}

export function escaped(words: string): string {
  return words.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** A tenth of a pixel is exact enough. */
export function n(value: number): string {
  return String(Number(value.toFixed(1)))
}
