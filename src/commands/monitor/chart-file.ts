import { writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { pngOf } from '../../message/chart/png.ts'
import { svgOf } from '../../message/chart/svg.ts'
import { altText } from '../../message/chart/words.ts'
import { english } from '../../message/words/words.ts'
import type { History, HistoryQuery } from '../../service/client/endpoints/history.ts'
import { rateNamed } from '../../service/client/readers/rates.ts'
import { CommandFailure } from '../failure.ts'
import type { Terminal } from '../terminal.ts'
import { seriesShown } from './shown-series.ts'
import type { Unit } from './unit.ts'

export interface ChartOptions {
  /** Ends in .svg or .png. */
  chart?: string
  dark?: boolean
}

/** Before anything is asked of the service. */
export function checkChartFile({ chart, dark }: ChartOptions): void {
  if (dark === true && chart === undefined)
    throw new CommandFailure('--dark is of the picture: name --chart too', 2)
  if (chart !== undefined && !['.svg', '.png'].includes(extname(chart).toLowerCase())) {
    throw new CommandFailure('--chart: the file must end in .svg or .png', 2)
  }
}

/** Writes the picture, and says on standard error what it shows. It ends with the last reading. */
export async function writeChart(
  found: History,
  asked: Required<HistoryQuery> & { chart: string; dark?: boolean },
  unit: Unit,
  terminal: Terminal,
): Promise<void> {
  const { chart, dark = false, period } = asked
  if (found.points.length === 0)
    throw new CommandFailure(`${chart} was not written: there is no reading to draw`)
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
