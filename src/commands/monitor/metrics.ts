import { modelName } from '../../message/render/words.ts'
import { percentText, signed } from '../../platform/text.ts'
import type { ModelMetrics } from '../../service/client/endpoints/metrics.ts'
import type { RateName } from '../../service/client/readers/rates.ts'
import type { Terminal } from '../terminal.ts'
import { type CsvCell, csv } from './csv.ts'
import { footer } from './footer.ts'
import { absent } from './numbers.ts'
import { write } from './output.ts'
import { intervalNote, sizeOf } from './sample.ts'
import { intervalText } from './sampling-error.ts'
import { aboutModels, type MonitorOptions, serviceOf } from './service.ts'
import { heading, prose, tableText } from './table.ts'
import { inPercent, percentCell, sayAssumed, type Unit, unitOf } from './unit.ts'

export async function metrics(model: string, options: MonitorOptions, terminal: Terminal): Promise<void> {
  const { client, rates } = serviceOf(options)
  const found = await aboutModels([model], () => client.metrics(model))
  const unit = unitOf(rates, countsOf(found))
  sayAssumed(unit, terminal)
  write(options, terminal, {
    json: () => ({ ...found, unit: unit.unit, unitFrom: unit.from }),
    csv: () => metricsCsv([found], unit),
    text: () => metricsText(found, unit, terminal),
  })
}

/** One row for each model. */
export function metricsCsv(all: readonly ModelMetrics[], unit: Unit): string {
  const header = [
    'model',
    'version',
    'overall_refusal_percent',
    'political_refusal_percent',
    'safety_refusal_percent',
    'bias_score',
    'trend',
    'sample_size',
    'last_updated',
  ]
  const rows = all.map((one): CsvCell[] => [
    one.model,
    one.version,
    percentCell(one.overallRefusalRate, unit),
    percentCell(one.politicalRefusalRate, unit),
    percentCell(one.safetyRefusalRate, unit),
    one.biasScore,
    one.trend,
    one.sampleSize,
    one.lastUpdated,
  ])
  return csv(header, rows)
}

export function metricsText(found: ModelMetrics, unit: Unit, terminal: Terminal): string {
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

/** The rates, each with its own number of prompts. Where only those of categories are given, the whole may be their sum. */
export function countsOf(found: ModelMetrics): { rate: number | null; sampleSize: number | null }[] {
  const { sampleSize, sampleSizes } = found
  const whole = Object.values(sampleSizes).every((size) => size === null) ? sampleSize : null
  return ratesOf(found).map(({ name, rate }) => ({
    rate,
    sampleSize: sampleSizes[name] ?? (name === 'overall' ? whole : null),
  }))
}
