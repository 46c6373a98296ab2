import type { Breach } from '../judge.ts'
import type { Run } from '../world.ts'

/** What says a second size by right: what was said before, elsewhere or since, and several alerts in one. */
const severalSizes =
  /published figures show|CORRECTED|WITHDRAWN|Correction|Corrected on|Confirmed on|Withdrawn on|after a first|again|alerts? (?:in one|added above)|• |first reported|Previously found|Previously reported/
/** A range is no size, nor is the part of a difference that a drift explains. */
const besides = /[+−]?[\d.]+\s+to\s+[+−]?[\d.]+\s+points|gradual\s+change\s+of\s+[+−]?[\d.]+\s+points/g
const sized = /(\d+(?:\.\d+)?) (?:percentage )?points?/g
const rates = /refused ([\d.]+)% of [\w ]+, (?:up|down) from ([\d.]+)%/g
/** Of two rates that are rounded to whole percent, and of a reported size. Percentage points. */
const rounding = 0.6

/** 7. A message about one alert states one size, in its headline and below. */
export function oneSize({ readers }: Run): Breach[] {
  return readers.shown.flatMap(({ own, text, before, place }) =>
    [text, ...before].flatMap((shown) => {
      if (!/^(evt|poll)_/.test(own ?? '') || severalSizes.test(shown)) return []
      const left = shown.replaceAll(besides, '')
      const sizes = [
        ...[...left.matchAll(sized)].map(([, size]) => Number(size)),
        ...[...left.matchAll(rates)].map(([, now, was]) => Math.abs(Number(now) - Number(was))),
      ]
      if (Math.max(...sizes) - Math.min(...sizes) <= rounding) return []
      return [{ rule: 7 as const, what: `${own} in ${place} states several sizes: ${sizes.join(', ')}` }]
    }),
  )
}
