import type { Terminal } from '../terminal.ts'
import { countText, minuteText } from './numbers.ts'
import { prose } from './table.ts'
import type { Unit } from './unit.ts'

export interface MeasuredFigures {
  sampleSize: number | null
  lastUpdated: string | null
}

/** The line under a table: what every data response carries ("What the service does", 4), and the unit. */
export function footer(
  { sampleSize, lastUpdated }: MeasuredFigures,
  terminal: Terminal,
  unit?: Unit,
): string {
  const parts = [
    sampleSize === null ? 'sample size not given' : `${countText(sampleSize)} prompts`,
    lastUpdated === null ? 'last update not given' : `last updated ${minuteText(lastUpdated)}`,
    ...(unit === undefined ? [] : [unitText(unit)]),
  ]
  return prose(parts.join(' · '), terminal)
}

function unitText({ unit, from }: Unit): string {
  const what = unit === 'fraction' ? 'fractions' : 'percent'
  return `the service’s rates read as ${what} (${from})`
}
