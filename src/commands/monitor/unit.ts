import { inferUnitOfCounts, type RateUnit, toPercent } from '../../service/client/readers/rates.ts'
import type { Terminal } from '../terminal.ts'

/** In which unit the service wrote its rates, and how we know: the interface does not say. */
export interface Unit {
  unit: RateUnit
  /** `assumed` where the rates at hand could be either. */
  from: 'configured' | 'inferred' | 'assumed'
}

interface RateWithSize {
  rate: number | null
  /** Prompts that this very rate was counted over; `null` where not known. */
  sampleSize: number | null
}

/** `configured` is `monitor.rates`. What does not tell is taken as fractions: as percent, they would all be below 1%. */
export function unitOf(configured: 'auto' | RateUnit, readings: Iterable<RateWithSize>): Unit {
  if (configured !== 'auto') return { unit: configured, from: 'configured' }
  const counts = [...readings].flatMap(({ rate, sampleSize }) => (rate === null ? [] : { rate, sampleSize }))
  const unit = inferUnitOfCounts(counts)
  return unit === undefined ? { unit: 'fraction', from: 'assumed' } : { unit, from: 'inferred' }
}

export function inPercent(rate: number | null, { unit }: Unit): number | null {
  return rate === null ? null : toPercent(rate, unit)
}

/** For a table of data: without the noise of binary fractions. */
export function percentCell(rate: number | null, unit: Unit): number | null {
  const percent = inPercent(rate, unit)
  return percent === null ? null : Number(percent.toPrecision(12))
}

/** Says where the unit was assumed; on standard error for machines' forms too, since a wrong one is wrong by 100. */
export function sayAssumed({ from }: Unit, terminal: Terminal): void {
  if (from !== 'assumed') return
  terminal.note(
    'Rates are assumed to be fractions: these few do not show it. Set monitor.rates to be sure.\n',
  )
}
