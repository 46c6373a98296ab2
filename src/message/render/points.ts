import { isTiny, leastShown, shownPoints } from '../../event/delta.ts'
import type { Words } from '../words/words.ts'

/** "12 points", "1 point", "less than 0.01 points", as a headline says it: a difference of rates never has a per cent sign. */
export function shortPoints(value: number, words: Words): string {
  return words.say('shortPoints', { size: sizeOf(value, words), count: countOf(value) })
}

/** The size alone: "12". */
export function sizeOf(value: number, words: Words): string {
  return isTiny(value)
    ? words.say('lessThan', { size: number(leastShown, words) })
    : number(Math.abs(shownPoints(value)), words)
}

/** "+12 percentage points", with a real minus sign if it falls. */
export function signedPoints(value: number, words: Words): string {
  const count = countOf(value)
  if (isTiny(value)) {
    return words.say('tinyChange', {
      way: value > 0 ? 'rise' : 'fall',
      size: number(leastShown, words),
      count,
    })
  }
  const sign = value > 0 ? '+' : value < 0 ? '−' : ''
  return words.say('points', { size: `${sign}${sizeOf(value, words)}`, count })
}

/** With one decimal place, rounded as the binary number stands, and a real minus sign. */
export function withTenths(value: number, words: Words): string {
  const rounded = Number(value.toFixed(1))
  return words.number(rounded, { least: 1, most: 1, grouped: false }).replace('-', '−')
}

/** Which form of "point" follows it. */
function countOf(value: number): number {
  return isTiny(value) ? leastShown : Math.abs(shownPoints(value))
}

function number(value: number, words: Words): string {
  return words.number(value, { most: 2 })
}
