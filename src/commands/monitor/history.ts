import { writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { pastSteps } from '../../intake/poll/past-steps.ts'
import { pngOf } from '../../message/chart/png.ts'
import { svgOf } from '../../message/chart/svg.ts'
import { altText } from '../../message/chart/words.ts'
import { modelName } from '../../message/render/words.ts'
import { english } from '../../message/words/words.ts'
import { percentText, plain, signed } from '../../platform/text.ts'
import type { History, HistoryPoint, HistoryQuery } from '../../service/client/endpoints/history.ts'
import { type RateName, rateNamed, rateNames } from '../../service/client/readers/rates.ts'
import { CommandFailure } from '../failure.ts'
import { heading, prose, type TableColumn, tableText } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { lineChart } from './charts.ts'
import { absent, dayText } from './numbers.ts'
import { csvOf, write } from './output.ts'
import {
  type AnsweredSizes,
  changeOver,
  footer,
  inPercent,
  intervalNote,
  intervalText,
  percentCell,
  sayAssumed,
  sizeOf,
  type Unit,
} from './rates.ts'
import { seriesShown, unitOfHistory, versionChanges } from './series.ts'
import { aboutModels, type MonitorOptions, sayUnread, serviceOf } from './service.ts'

export async function history(
  model: string,
  options: MonitorOptions & Required<HistoryQuery> & ChartOptions,
  terminal: Terminal,
): Promise<void> {
  checkChartFile(options)
  const { client, rates } = await serviceOf(options)
  const { period, category } = options
  const published = await aboutModels([model], () => client.history(model, { period, category }))
  const unit = unitOfHistory(rates, published)
  sayAssumed(unit, terminal)
  sayUnread(published.unread, 'readings', terminal)
  write(options, terminal, {
    json: () => ({ ...published, period, category, unit: unit.unit, unitFrom: unit.from }),
    csv: () => historyCsv(published, unit),
    text: () => historyText(published, { period, category }, unit, terminal),
  })
  const { chart, dark = false } = options
  if (chart !== undefined) await writeChart(published, { period, category, chart, dark }, unit, terminal)
}

/** One row for each reading; all options give the same columns. */
function historyCsv(found: History, unit: Unit): string {
  const rateOf = (name: RateName) => (point: HistoryPoint) => percentCell(point.rates[name], unit)
  return csvOf(found.points, {
    model: () => found.model,
    at: ({ at }) => at,
    version: ({ version }) => version,
    ...Object.fromEntries(rateNames.map((name) => [`${name}_refusal_percent`, rateOf(name)])),
    sample_size: (point) => sizesOf(point, found).sampleSize,
  })
}

/** A chart of the category that was asked for, and a row for each rate that was read. */
function historyText(
  found: History,
  { period, category }: Required<HistoryQuery>,
  unit: Unit,
  terminal: Terminal,
): string {
  const all = seriesOf(found, unit)
  const sizes = sizesOf(found.points.at(-1), found)
  const wanted = category === 'all' ? 'overall' : category
  const shown = all.find(({ name }) => name === wanted) ?? all[0]
  if (shown === undefined) {
    return `The service has no readings of ${modelName(found.model)} in ${period}.\n${footer(found, terminal)}`
  }
  const changes = versionChanges(found)
  const note = intervalNote(
    all.map(({ name }) => name),
    sizes,
  )
  const about = `${modelName(found.model)}: ${shown.name} refusal rate, ${period}, ${shown.readings.length} readings`
  const chart = lineChart(
    shown.readings,
    changes.map(({ at }) => Date.parse(at)),
    terminal,
  )
  return [
    heading(about, terminal),
    chart,
    ...changes.map(({ at, from, to }) => `▲ ${dayText(at)}  version ${plain(from, 40)} → ${plain(to, 40)}\n`),
    ...pastSteps(shown.readings, shown.name).map(
      ({ at, points }) =>
        `• ${dayText(new Date(at).toISOString())}  seen in the figures: ${signed(points)} percentage points\n`,
    ),
    '\n',
    seriesTable(all, terminal),
    prose(
      `Change: mean of the second half minus mean of the first, in percentage points. The 95% confidence interval comes from the spread of the readings. ${note}`,
      terminal,
    ),
    footer({ ...found, sampleSize: sizes.sampleSize }, terminal, unit),
  ].join('')
}

interface HistoryReading {
  /** Milliseconds since the epoch. */
  at: number
  percent: number
  sampleSize: number | null
}

interface PercentSeries {
  name: RateName
  readings: HistoryReading[]
}

/** The rates that have a reading; overall first. */
function seriesOf(found: History, unit: Unit): PercentSeries[] {
  return rateNames
    .map((name) => ({
      name,
      readings: found.points.flatMap((point) => {
        const percent = inPercent(point.rates[name], unit)
        if (percent === null) return []
        return [{ at: Date.parse(point.at), percent, sampleSize: sizeOf(name, sizesOf(point, found)) }]
      }),
    }))
    .filter(({ readings }) => readings.length > 0)
}

/** What a point says itself goes before what is said of all. */
function sizesOf(point: HistoryPoint | undefined, found: History): AnsweredSizes {
  const of = (name: RateName) => point?.sampleSizes[name] ?? found.sampleSizes[name]
  return {
    sampleSize: point?.sampleSize ?? found.sampleSize,
    sampleSizes: {
      overall: of('overall'),
      political: of('political'),
      safety: of('safety'),
      social: of('social'),
    },
  }
}

function seriesTable(all: readonly PercentSeries[], terminal: Terminal): string {
  const columns: TableColumn[] = [
    { head: 'prompts' },
    { head: 'last', align: 'right' },
    { head: '95% interval', align: 'right' },
    { head: 'mean', align: 'right', spare: true },
    { head: 'lowest', align: 'right', spare: true },
    { head: 'highest', align: 'right', spare: true },
    { head: 'change', align: 'right' },
  ]
  const rows = all.map(({ name, readings }) => {
    const values = readings.map(({ percent }) => percent)
    const last = readings.at(-1)
    return [
      name,
      last === undefined ? absent : percentText(last.percent),
      intervalText(last?.percent ?? null, last?.sampleSize ?? null),
      percentText(values.reduce((sum, one) => sum + one, 0) / values.length),
      percentText(values.reduce((low, one) => Math.min(low, one), Infinity)),
      percentText(values.reduce((high, one) => Math.max(high, one), -Infinity)),
      changeText(readings),
    ]
  })
  return tableText(columns, rows, terminal)
}

function changeText(readings: readonly HistoryReading[]): string {
  const change = changeOver(readings)
  if (change === undefined) return absent
  const { points, interval } = change
  const [from, to] = interval ?? []
  return from === undefined || to === undefined
    ? `${signed(points)} (no interval)`
    : `${signed(points)} (${signed(from)} to ${signed(to)})`
}

export interface ChartOptions {
  /** Ends in .svg or .png. */
  chart?: string
  dark?: boolean
}

/** Before anything is asked of the service. */
function checkChartFile({ chart, dark }: ChartOptions): void {
  if (dark === true && chart === undefined) throw new CommandFailure('--dark needs --chart', 2)
  if (chart !== undefined && !['.svg', '.png'].includes(extname(chart).toLowerCase())) {
    throw new CommandFailure('--chart: the file must end in .svg or .png', 2)
  }
}

/** Writes the picture, and says on standard error what it shows. It ends with the last reading. */
async function writeChart(
  found: History,
  asked: Required<HistoryQuery> & { chart: string; dark?: boolean },
  unit: Unit,
  terminal: Terminal,
): Promise<void> {
  const { chart, dark = false, period } = asked
  if (found.points.length === 0)
    throw new CommandFailure(`${chart} was not written: there are no readings to draw`)
  const rate = rateNamed(asked.category) ?? 'overall'
  const series = seriesShown(found, { period, rate, unit }, english)
  const svg = svgOf(series, dark ? 'dark' : 'light', english)
  const isSvg = extname(chart).toLowerCase() === '.svg'
  try {
    await writeFile(chart, isSvg ? svg : await pngOf(svg))
  } catch (error) {
    throw new CommandFailure(`${chart} could not be written`, 1, error)
  }
  terminal.note(`${chart}: ${altText(series, english)}\n`)
}
