import { modelName } from '../../message/render/words.ts'
import { percentText, plain, signed } from '../../platform/text.ts'
import type { Comparison } from '../../service/client/endpoints/compare.ts'
import type { ModelMetrics } from '../../service/client/endpoints/metrics.ts'
import type { Terminal } from '../terminal.ts'
import { bars } from './bars.ts'
import { footer } from './footer.ts'
import { countsOf, metricsCsv, ratesOf } from './metrics.ts'
import { absent } from './numbers.ts'
import { write } from './output.ts'
import { aboutModels, type MonitorOptions, sayUnread, serviceOf } from './service.ts'
import { heading, tableText } from './table.ts'
import { inPercent, sayAssumed, type Unit, unitOf } from './unit.ts'

export async function compare(
  models: readonly string[],
  options: MonitorOptions,
  terminal: Terminal,
): Promise<void> {
  const { client, rates } = serviceOf(options)
  const found = await aboutModels(models, () => client.compare(models))
  const unit = unitOf(
    rates,
    found.models.flatMap((one) => countsOf(withShared(one, found))),
  )
  sayAssumed(unit, terminal)
  sayUnread(found.unread, 'models', terminal)
  write(options, terminal, {
    json: () => ({ ...found, unit: unit.unit, unitFrom: unit.from }),
    csv: () =>
      metricsCsv(
        found.models.map((one) => withShared(one, found)),
        unit,
      ),
    text: () => compareText(found, unit, terminal),
  })
  if (found.missing.length > 0) {
    const names = found.missing.map((model) => plain(model, 60)).join(', ')
    terminal.note(`The service said nothing about ${names}.\n`)
  }
}

export function compareText(found: Comparison, unit: Unit, terminal: Terminal): string {
  if (found.models.length === 0)
    return `The service compared none of these models.\n${footer(found, terminal)}`
  const groups = (['overall', 'political', 'safety'] as const).map((name) => {
    const all = found.models.map((one) => {
      const rate = ratesOf(one).find((other) => other.name === name)?.rate ?? null
      const value = inPercent(rate, unit)
      return { label: modelName(one.model), value, text: value === null ? absent : percentText(value) }
    })
    if (all.every(({ value }) => value === null)) return ''
    const spread = spreadText(all.map(({ value }) => value))
    return `${heading(`${name} refusal rate`, terminal)}${bars(all, terminal)}${spread}\n`
  })
  const rows = found.models.map((one) => [
    modelName(one.model),
    one.version ?? absent,
    one.trend ?? absent,
    one.biasScore === null ? absent : signed(one.biasScore, 2),
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
  return [...groups, table, footer(found, terminal, unit)].join('')
}

/** What the answer says of all models holds for each that says nothing itself. */
export function withShared(one: ModelMetrics, { sampleSize, lastUpdated }: Comparison): ModelMetrics {
  return {
    ...one,
    sampleSize: one.sampleSize ?? sampleSize,
    lastUpdated: one.lastUpdated ?? lastUpdated,
  }
}

function spreadText(values: readonly (number | null)[]): string {
  const known = values.filter((value) => value !== null)
  if (known.length < 2) return ''
  const points = Math.max(...known) - Math.min(...known)
  return `Highest less lowest: ${points.toFixed(1)} percentage points\n`
}
