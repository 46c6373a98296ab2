import type { AlertEvent } from '../../../../src/event/event.ts'
import type { Breach } from '../judge.ts'
import type { Run } from '../world.ts'
import { alertsOf } from './stored.ts'

/** "31.4% of 500 prompts (one reading, 3 Nov 2026)", "… (3 readings since 3 Nov 2026)". */
const level = /([\d.]+)%(?: of [\d,]+ prompts)? \((?:one reading,|(\d+) readings since)/g
/** A mean over readings is made on the scale on which noise is even; percentage points. */
const rounding = 0.3

/** 7. No message shows a level after a change that has an older reading in it than the change. */
export function levelsOfTheirChange(run: Run): Breach[] {
  const alerts = new Map(alertsOf(run).map(({ entry }) => [entry.id, entry]))
  return run.readers.shown.flatMap(({ own, place, text, before }) => {
    const event = alerts.get(own?.replace(/-again-\w+$/, '') ?? '')
    if (event === undefined || event.detectedAt === null) return []
    return [...before, text].flatMap((one) =>
      [...one.replaceAll('\\', '').matchAll(level)]
        .filter(([, rate, readings]) => !isSince(run, event, { rate, readings }))
        .map(([shown]): Breach => {
          const what = `${event.id} of ${event.detectedAt} on ${place} shows an older level: ${shown}`
          return { rule: 7, what }
        }),
    )
  })
}

/** Whether some readings in a row, none older than the change, have that rate. */
function isSince(
  { service }: Run,
  { model, category, detectedAt }: AlertEvent,
  shown: { rate: string | undefined; readings: string | undefined },
): boolean {
  const count = Number(shown.readings ?? 1)
  const rates = service
    .readings()
    .filter(
      (one) => one.model === model && one.category === category && one.at >= Date.parse(detectedAt ?? ''),
    )
    .toSorted((one, other) => one.at - other.at)
    .map(({ rate }) => rate)
  return rates.some((_, index) => {
    const some = rates.slice(index, index + count)
    const mean = (100 * some.reduce((sum, rate) => sum + rate, 0)) / count
    return some.length === count && Math.abs(mean - Number(shown.rate)) <= (count === 1 ? 0.05 : rounding)
  })
}
