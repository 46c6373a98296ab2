import { closest, distance } from 'fastest-levenshtein'

/** Which of the words is probably meant, whatever its case; undefined where none is near. */
export function nearest(written: string, words: readonly string[]): string | undefined {
  const lower = written.toLowerCase()
  const found = closest(
    lower,
    words.map((word) => word.toLowerCase()),
  )
  const isNear = distance(lower, found) <= Math.max(1, Math.floor(written.length / 3))
  return isNear ? words.find((word) => word.toLowerCase() === found) : undefined
}
