import stringWidth from 'string-width'
import { padded } from '../../platform/terminal.ts'
import { cut, painted, percentText, plain } from '../../platform/text.ts'
import type { Terminal } from '../terminal.ts'
import { absent } from './numbers.ts'

export interface ChartBar {
  label: string
  /** `null`: the service gave none. */
  value: number | null
  /** What stands behind the bar. */
  text: string
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']
const longestLabel = 24

/** Bars from 0 to the largest value. */
export function bars(all: readonly ChartBar[], shown: Pick<Terminal, 'width' | 'colour'>): string {
  const most = Math.max(...all.map(({ value }) => value ?? 0), 0)
  return lines(all, shown, (value, width) => {
    const cells = most === 0 ? 0 : (Math.max(value, 0) / most) * width
    return `${'█'.repeat(Math.floor(cells))}${eighths[Math.floor((cells % 1) * 8)] ?? ''}`
  })
}

/** Bars to both sides of 0, which stands in the middle; the longest reaches the end of its side. */
export function centredBars(all: readonly ChartBar[], shown: Pick<Terminal, 'width' | 'colour'>): string {
  const most = Math.max(...all.map(({ value }) => Math.abs(value ?? 0)))
  return lines(all, shown, (value, width) => {
    const side = Math.floor((width - 1) / 2)
    const cells = most === 0 ? 0 : Math.round((Math.abs(value) / most) * side)
    const full = '█'.repeat(cells)
    return value < 0 ? `${full.padStart(side)}│` : `${' '.repeat(side)}│${full}`
  })
}

function lines(
  all: readonly ChartBar[],
  { width, colour }: Pick<Terminal, 'width' | 'colour'>,
  draw: (value: number, width: number) => string,
): string {
  const labels = all.map(({ label }) => cut(plain(label), longestLabel, stringWidth))
  const labelWidth = Math.max(...labels.map((label) => stringWidth(label)))
  const textWidth = Math.max(...all.map(({ text }) => stringWidth(text)))
  const room = Math.max(width - labelWidth - textWidth - 4, 5)
  return all
    .map(({ value, text }, index) => {
      const bar = value === null ? absent : draw(value, room)
      const space = ' '.repeat(room - stringWidth(bar))
      const shown = value === null ? bar : painted('cyan', bar, colour)
      return `${padded(labels[index] ?? '', labelWidth)}  ${shown}${space}  ${padded(text, textWidth, 'right')}\n`
    })
    .join('')
}

export interface LinePoint {
  /** Milliseconds since the epoch; oldest first. */
  at: number
  percent: number
}

const height = 9
/** "100.0%" and the axis. */
const labelWidth = 9
/** A smaller span would make mountains of the noise, in percentage points. */
const leastSpan = 2
/** So many times the usual distance between two readings is a hole, and no line is drawn over it. */
const hole = 3

/**
 * A rate over time, as wide as the terminal: percent at the left, UTC dates below, `▲` where `marks` are. A column
 * is the mean of its readings, or lies on the line between its neighbours. Empty for fewer than two moments.
 */
export function lineChart(
  points: readonly LinePoint[],
  marks: readonly number[],
  { width, colour }: Pick<Terminal, 'width' | 'colour'>,
  written: (percent: number) => string = percentText,
): string {
  const first = points[0]?.at
  const last = points.at(-1)?.at
  if (first === undefined || last === undefined || first === last) return ''
  const columns = width - labelWidth
  const values = columnsOf(points, columns)
  const scale = scaleOf(values)
  const marked = new Set(
    marks.filter((at) => at >= first && at <= last).map((at) => columnOf(at, first, last, columns)),
  )
  const rows = plot(values, scale, marked).map((cells, row) => {
    const label = written(valueAt(row, scale)).padStart(labelWidth - 2)
    return `${label} ┤${inked(cells.join(''), colour)}`
  })
  const below = ' '.repeat(labelWidth)
  const ticks = Array.from({ length: columns }, (_, column) => (marked.has(column) ? '▲' : '─')).join('')
  const lines = [...rows, `${below.slice(1)}└${ticks}`, `${below}${dates(first, last, columns)}`]
  return lines.map((line) => `${line.trimEnd()}\n`).join('')
}

function columnOf(at: number, first: number, last: number, columns: number): number {
  return Math.min(Math.floor(((at - first) / (last - first)) * columns), columns - 1)
}

/** Undefined in a hole. */
export function columnsOf(points: readonly LinePoint[], columns: number): (number | undefined)[] {
  const first = points[0]?.at ?? 0
  const last = points.at(-1)?.at ?? 0
  const held = Array.from({ length: columns }, (): number[] => [])
  for (const { at, percent } of points) held[columnOf(at, first, last, columns)]?.push(percent)
  const means = held.map((all) =>
    all.length === 0 ? undefined : all.reduce((sum, one) => sum + one, 0) / all.length,
  )
  const widest = hole * Math.max(usualDistance(points), (last - first) / columns)
  let before = 0
  return means.map((mean, column) => {
    if (mean !== undefined) return mean
    const at = first + ((column + 0.5) / columns) * (last - first)
    while ((points[before + 1]?.at ?? Infinity) <= at) before += 1
    return between(points[before], points[before + 1], at, widest)
  })
}

function between(
  one: LinePoint | undefined,
  other: LinePoint | undefined,
  at: number,
  widest: number,
): number | undefined {
  if (one === undefined || other === undefined || other.at - one.at > widest) return undefined
  return one.percent + ((at - one.at) / (other.at - one.at)) * (other.percent - one.percent)
}

/** The median, in milliseconds. */
function usualDistance(points: readonly LinePoint[]): number {
  const distances = points.slice(1).map(({ at }, index) => at - (points[index]?.at ?? at))
  return distances.toSorted((one, other) => one - other)[Math.floor(distances.length / 2)] ?? 0
}

interface PercentScale {
  top: number
  bottom: number
}

function scaleOf(values: readonly (number | undefined)[]): PercentScale {
  const numbers = values.filter((value) => value !== undefined)
  const lowest = Math.min(...numbers)
  const highest = Math.max(...numbers)
  const spare = Math.max(leastSpan - (highest - lowest), 0)
  // No rate is below 0% or above 100%, and no label either.
  const bottom = Math.min(Math.max(lowest - spare / 2, Math.min(0, lowest)), 100 - leastSpan)
  return { bottom, top: Math.max(bottom + leastSpan, highest) }
}

function valueAt(row: number, { top, bottom }: PercentScale): number {
  return top - (row / (height - 1)) * (top - bottom)
}

function plot(
  values: readonly (number | undefined)[],
  { top, bottom }: PercentScale,
  marked: ReadonlySet<number>,
): string[][] {
  const blank = values.map((_, column): string => (marked.has(column) ? '┊' : ' '))
  const rows = Array.from({ length: height }, () => [...blank])
  const draw = (row: number, column: number, symbol: string) => void rows[row]?.splice(column, 1, symbol)
  const rowOf = (value: number | undefined) =>
    value === undefined ? undefined : Math.round(((top - value) / (top - bottom)) * (height - 1))
  values.forEach((value, column) => {
    const row = rowOf(value)
    if (row === undefined) return
    const before = rowOf(values[column - 1]) ?? row
    const [end, start] = row === before ? ['─', '─'] : row > before ? ['╰', '╮'] : ['╭', '╯']
    draw(before, column, start)
    draw(row, column, end)
    for (let inner = Math.min(before, row) + 1; inner < Math.max(before, row); inner += 1) {
      draw(inner, column, '│')
    }
  })
  return rows
}

function inked(text: string, colour: boolean): string {
  return text.replace(/[─│╭╮╯╰]+/g, (line) => painted('cyan', line, colour))
}

/** The first and the last day, and the middle if there is room. */
function dates(first: number, last: number, columns: number): string {
  const [from, middle, to] = [first, (first + last) / 2, last].map((at) =>
    new Date(at).toISOString().slice(0, 10),
  )
  const line = `${from}${`${to}`.padStart(columns - 10)}`
  if (columns < 36) return line
  const place = Math.floor(columns / 2) - 5
  return `${line.slice(0, place)}${middle}${line.slice(place + 10)}`
}
