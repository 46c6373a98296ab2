import { modelName } from '../../message/render/words.ts'
import { percentText, plain, signed } from '../../platform/text.ts'
import type { Comparison } from '../../service/client/endpoints/compare.ts'
import type { ModelMetrics } from '../../service/client/endpoints/metrics.ts'
import type { RateName } from '../../service/client/readers/rates.ts'
import { heading, prose, tableText } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { bars, type ChartBar } from './charts.ts'
import { absent } from './numbers.ts'
import { csvOf, write } from './output.ts'
import {
  differenceError,
  footer,
  inPercent,
  intervalNote,
  intervalText,
  percentCell,
  sayAssumed,
  sizeOf,
  type Unit,
  unitOf,
} from './rates.ts'
import { aboutModels, type MonitorOptions, sayUnread, serviceOf } from './service.ts'

export async function metrics(model: string, options: MonitorOptions, terminal: Terminal): Promise<void> {
  const { client, rates } = await serviceOf(options)
  const published = await aboutModels([model], () => client.metrics(model))
  const unit = unitOf(rates, countsOf(published))
  sayAssumed(unit, terminal)
  write(options, terminal, {
    json: () => ({ ...published, unit: unit.unit, unitFrom: unit.from }),
    csv: () => metricsCsv([published], unit),
    text: () => metricsText(published, unit, terminal),
  })
}

/** One row for each model. */
function metricsCsv(all: readonly ModelMetrics[], unit: Unit): string {
  return csvOf(all, {
    model: ({ model }) => model,
    version: ({ version }) => version,
    overall_refusal_percent: ({ overallRefusalRate }) => percentCell(overallRefusalRate, unit),
    political_refusal_percent: ({ politicalRefusalRate }) => percentCell(politicalRefusalRate, unit),
    safety_refusal_percent: ({ safetyRefusalRate }) => percentCell(safetyRefusalRate, unit),
    bias_score: ({ biasScore }) => biasScore,
    trend: ({ trend }) => trend,
    sample_size: ({ sampleSize }) => sampleSize,
    last_updated: ({ lastUpdated }) => lastUpdated,
  })
}

function metricsText(found: ModelMetrics, unit: Unit, terminal: Terminal): string {
  const { version, trend, biasScore } = found
  const rates = ratesOf(found)
  const rows = rates.map(({ name, rate }) => {
    const percent = inPercent(rate, unit)
    return [
      name,
      percent === null ? absent : percentText(percent),
      intervalText(percent, sizeOf(name, found)),
    ]
  })
  const table = tableText(
    [{ head: 'prompts' }, { head: 'refused', align: 'right' }, { head: '95% interval', align: 'right' }],
    rows,
    terminal,
  )
  const note = intervalNote(
    rates.filter(({ rate }) => rate !== null).map(({ name }) => name),
    found,
  )
  const about = `version ${version ?? 'not given'} · trend ${trend ?? 'not given'} · bias score ${biasScore === null ? 'not given' : signed(biasScore, 2)}`
  return [
    heading(modelName(found.model), terminal),
    prose(about, terminal),
    '\n',
    table,
    note === '' ? '' : prose(note, terminal),
    footer(found, terminal, unit),
  ].join('')
}

export function ratesOf(found: ModelMetrics): { name: RateName; rate: number | null }[] {
  return [
    { name: 'overall', rate: found.overallRefusalRate },
    { name: 'political', rate: found.politicalRefusalRate },
    { name: 'safety', rate: found.safetyRefusalRate },
  ]
}

/** The rates, each with its own number of prompts. If only categories have numbers, the total may be their sum. */
export function countsOf(found: ModelMetrics): { rate: number | null; sampleSize: number | null }[] {
  const { sampleSize, sampleSizes } = found
  const whole = Object.values(sampleSizes).every((size) => size === null) ? sampleSize : null
  return ratesOf(found).map(({ name, rate }) => ({
    rate,
    sampleSize: sampleSizes[name] ?? (name === 'overall' ? whole : null),
  }))
}

export async function compare(
  models: readonly string[],
  options: MonitorOptions,
  terminal: Terminal,
): Promise<void> {
  const { client, rates } = await serviceOf(options)
  const comparison = await aboutModels(models, () => client.compare(models))
  const shared = withShared(comparison)
  const unit = unitOf(rates, shared.flatMap(countsOf))
  sayAssumed(unit, terminal)
  sayUnread(comparison.unread, 'models', terminal)
  write(options, terminal, {
    json: () => ({ ...comparison, unit: unit.unit, unitFrom: unit.from }),
    csv: () => metricsCsv(shared, unit),
    text: () => compareText(comparison, unit, terminal),
  })
  if (comparison.missing.length > 0) {
    const names = comparison.missing.map((model) => plain(model, 60)).join(', ')
    terminal.note(`The service returned nothing about ${names}.\n`)
  }
}

function compareText(comparison: Comparison, unit: Unit, terminal: Terminal): string {
  const models = withShared(comparison)
  const [sizes] = models
  if (sizes === undefined || models.length === 0)
    return `The service returned none of these models.\n${footer(comparison, terminal)}`
  const groups = comparedRates.map((name) => {
    const rates = barsOf(name, models, unit, { labelOf: modelName, textOf: percentText })
    if (rates.every(({ value }) => value === null)) return ''
    return `${heading(`${name} refusal rate`, terminal)}${bars(rates, terminal)}${spreadText(rates)}\n`
  })
  const rows = models.map(({ model, version, trend, biasScore }) => [
    modelName(model),
    version ?? absent,
    trend ?? absent,
    biasScore === null ? absent : signed(biasScore, 2),
  ])
  const table = tableText(
    [
      { head: 'model', long: true },
      { head: 'version', long: true },
      { head: 'trend', long: true },
      { head: 'bias score', align: 'right' },
    ],
    rows,
    terminal,
  )
  const notes = [
    intervalNote(comparedRates, sizes),
    ...(models.some(({ biasScore }) => biasScore !== null) ? [biasNote] : []),
  ]
  return [...groups, table, prose(notes.join(' '), terminal), footer(comparison, terminal, unit)].join('')
}

/** What cannot be said of a bias score. */
const biasNote =
  'Bias scores have no interval, because the service publishes no error of them. It does not say what a sign means.'

/** The rates that a comparison shows. */
export const comparedRates = ['overall', 'political', 'safety'] as const

/** A bar, and the prompts behind it. */
export interface RateBar extends ChartBar {
  sampleSize: number | null
}

/** One rate of each model, in percent, with its confidence interval if the number of prompts is known. */
export function barsOf(
  rate: (typeof comparedRates)[number],
  models: readonly ModelMetrics[],
  unit: Unit,
  { labelOf, textOf }: { labelOf: (model: string) => string; textOf: (percent: number) => string },
): RateBar[] {
  return models.map((metrics) => {
    const value = inPercent(ratesOf(metrics).find(({ name }) => name === rate)?.rate ?? null, unit)
    const sampleSize = sizeOf(rate, metrics)
    const interval = intervalText(value, sampleSize)
    const text = value === null ? absent : `${textOf(value)}${interval === '' ? '' : ` (${interval})`}`
    return { label: labelOf(metrics.model), value, text, sampleSize }
  })
}

/** The models compared. What the answer says of all of them holds for each that says nothing itself. */
export function withShared({ models, sampleSize, lastUpdated }: Comparison): ModelMetrics[] {
  return models.map((metrics) => ({
    ...metrics,
    sampleSize: metrics.sampleSize ?? sampleSize,
    lastUpdated: metrics.lastUpdated ?? lastUpdated,
  }))
}

function spreadText(rates: readonly RateBar[]): string {
  const spread = spreadOf(rates)
  if (spread === undefined) return ''
  const { points, error } = spread
  const interval = error === undefined ? 'no interval: number of prompts unknown' : `± ${error.toFixed(1)}`
  return `Highest minus lowest: ${points.toFixed(1)} percentage points (${interval})\n`
}

/** The highest rate less the lowest, and half its 95% interval; percentage points. Undefined of fewer than two rates. */
export function spreadOf(
  rates: readonly RateBar[],
): { points: number; error: number | undefined } | undefined {
  const measured = rates.flatMap(({ value, sampleSize }) =>
    value === null ? [] : [{ percent: value, sampleSize }],
  )
  const byRate = measured.toSorted((one, other) => one.percent - other.percent)
  const [lowest, highest] = [byRate[0], byRate.at(-1)]
  if (lowest === undefined || highest === undefined || lowest === highest) return undefined
  const points = highest.percent - lowest.percent
  if (lowest.sampleSize === null || highest.sampleSize === null) return { points, error: undefined }
  const sized = ({ percent }: { percent: number }, sampleSize: number) => ({ percent, sampleSize })
  return {
    points,
    error: differenceError(sized(lowest, lowest.sampleSize), sized(highest, highest.sampleSize)),
  }
}
