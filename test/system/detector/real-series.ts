import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { learn, observe } from '../../../src/intake/detect/detect.ts'
import type { Observation, PerRate } from '../../../src/intake/detect/observation.ts'

/** A public series of measurements of one model with the same prompts: test/data/series/README.md says whose. */
interface RealSeries {
  file: string
  name: string
  readings: Observation[]
}

/** What the detector says of a series, reading by reading. */
export interface SeriesRow {
  file: string
  name: string
  readings: number
  /** Percent, to a tenth. */
  lowest: number
  highest: number
  /** "2026-08-05 rise, 0% to 26%, withdrawn". */
  alerts: string[]
}

/** So many readings of each are learned first, as the history of a model is. */
const learned = 12

const none: PerRate<null> = { overall: null, political: null, safety: null, social: null }

export function realSeries(): RealSeries[] {
  return globSync('test/data/series/*.csv')
    .toSorted()
    .flatMap((path) => {
      const rows = readFileSync(path, 'utf8')
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(','))
      const file = basename(path, '.csv')
      return [...Map.groupBy(rows, (row) => row[3] ?? '')].map(([name, of]) => ({
        file,
        name: name.split('/').slice(1).join(' '),
        readings: of
          .map(([at = '', successes, trials]) => ({
            at: at.endsWith('Z') ? at : `${at}Z`,
            // A refusal is counted as it is; of the stand-ins, what was not correct or not answered.
            rate:
              (file.endsWith('refused') ? 0 : 1) -
              (file.endsWith('refused') ? -1 : 1) * (Number(successes) / Number(trials)),
            trials: Number(trials),
          }))
          .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
          .map(
            ({ at, rate, trials }): Observation => ({
              at,
              lastUpdated: at,
              version: null,
              rates: { ...none, overall: Math.abs(rate) < 1e-12 ? 0 : rate },
              counts: { ...none, overall: trials },
            }),
          ),
      }))
    })
}

/** Learns the beginning of a series, and watches the rest as polling would. Pure. */
export function watch({ file, name, readings }: RealSeries): SeriesRow {
  const history = readings.slice(0, learned).map((reading) => ({ ...reading, lastUpdated: null }))
  let { state } = learn(history)
  const alerts: string[] = []
  for (const reading of readings.slice(learned)) {
    const { state: next, findings } = observe(state, reading)
    state = next
    for (const { status, direction, since, figures, completes } of findings) {
      if (figures === null || (completes !== null && status !== 'withdrawn')) continue
      const levels = `${Math.round(100 * figures.baseline)}% to ${Math.round(100 * figures.rate)}%`
      alerts.push(`${since.slice(0, 10)} ${direction}, ${levels}${status === 'found' ? '' : `, ${status}`}`)
    }
  }
  const rates = readings.map(({ rates: { overall } }) => 100 * (overall ?? 0))
  const tenth = (percent: number) => Math.round(percent * 10) / 10
  return {
    file,
    name,
    readings: readings.length,
    lowest: tenth(Math.min(...rates)),
    highest: tenth(Math.max(...rates)),
    alerts,
  }
}

export function rowText({ name, readings, lowest, highest, alerts }: SeriesRow): string {
  return `| ${name} | ${readings} | ${lowest} to ${highest} | ${alerts.length === 0 ? 'none' : alerts.join('; ')} |`
}

if (import.meta.main) {
  for (const series of realSeries()) console.log(`${series.file} ${rowText(watch(series))}`)
}
