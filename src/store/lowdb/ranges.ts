/** Whole numbers from the first to the last, both included. */
export type Range = [first: number, last: number]

/** The same numbers in ascending ranges that neither overlap nor touch. */
export function joined(ranges: readonly Range[]): Range[] {
  const all: Range[] = []
  for (const [first, last] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const previous = all.at(-1)
    if (previous !== undefined && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last)
    else all.push([first, last])
  }
  return all
}

/** What of 1 to `last` is in none of the ranges. */
export function holes(ranges: readonly Range[], last: number): Range[] {
  const found: Range[] = []
  let next = 1
  for (const [first, end] of joined(ranges)) {
    if (first > next && next <= last) found.push([next, Math.min(first - 1, last)])
    next = Math.max(next, end + 1)
  }
  if (next <= last) found.push([next, last])
  return found
}
