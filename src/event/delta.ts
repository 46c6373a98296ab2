/** Longer texts are not a change; the bound also keeps the pattern cheap on hostile input. */
const longest = 64

/** Sign, number, "pp". U+2212 is the typographic minus. A comma could part decimals or thousands, so none is read. */
const pattern = /^(?<sign>[+\-\u2212])?\s*(?<size>\d+(?:\.\d+)?|\.\d+)\s*pp$/i

/**
 * Reads a change as the service writes it: "a sign, a number and the suffix pp" (interface specification,
 * "Webhook delivery"). The result is in percentage points: "+12pp" is 12, "-3.5 pp" is −3.5. Without a sign it is a rise.
 * Null for anything else, and for more than 100 either way: no two rates differ by that.
 */
export function readDelta(text: unknown): number | null {
  if (typeof text !== 'string' || text.length > longest) return null
  const { sign, size } = pattern.exec(text.trim())?.groups ?? {}
  if (size === undefined) return null
  const points = Number(size)
  if (points > 100) return null
  return points === 0 || sign === undefined || sign === '+' ? points : -points
}

/** Made with the first change that is rounded: what Node knows of languages is then read, some 6 MB. */
let hundredths: Intl.NumberFormat | undefined

/** Rounds as written: 4.995 is 5, though the nearest binary number may be below it. */
function rounded(delta: number): number {
  hundredths ??= new Intl.NumberFormat('en-US', { maximumFractionDigits: 2, useGrouping: false })
  return Number(hundredths.format(delta))
}

/**
 * What a reader is shown of a change, and what filters judge: rounded to hundredths of a percentage point. A change that
 * would round to 0 stays as it is.
 */
export function shownPoints(delta: number): number {
  return rounded(delta) || delta
}

/** Of a change that is shown as "less than", in percentage points. */
export const leastShown = 0.01

/** Whether a change is shown as less than the least that is. */
export function isTiny(delta: number): boolean {
  return delta !== 0 && rounded(delta) === 0
}
