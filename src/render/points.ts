import { isTiny, leastShown, shownPoints } from '../event/delta.ts'

const decimals = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2 })

/**
 * "12 percentage points", "1 percentage point", "less than 0.01 percentage points": a difference of rates is never written
 * with a per cent sign, and one that is there never as 0.
 */
export function points(value: number): string {
  const size = sizeOf(value)
  return `${size} percentage ${size === '1' ? 'point' : 'points'}`
}

/** The size alone: "12". */
export function sizeOf(value: number): string {
  return isTiny(value) ? `less than ${leastShown}` : number(Math.abs(shownPoints(value)))
}

/** "+12 percentage points", with a real minus sign where it falls. */
export function signedPoints(value: number): string {
  if (isTiny(value)) return `a ${value > 0 ? 'rise' : 'fall'} of ${points(value)}`
  const sign = value > 0 ? '+' : value < 0 ? '−' : ''
  return `${sign}${points(value)}`
}

function number(value: number): string {
  return decimals.format(value)
}
