/** Made with the first text that is too long, for what it takes (event/delta.ts). */
let segmenter: Intl.Segmenter | undefined

function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter.segment(text)
}

/** A grapheme can carry any number of combining marks; so many UTF-16 units for each are kept. */
const unitsEach = 8

/**
 * The text, or as much of its start as `most` allows and an ellipsis, which counts too. Cut between two graphemes:
 * never inside an emoji, or between a letter and its accent. `size` measures a text, and that of a longer one is not
 * smaller; without it, graphemes are counted.
 */
export function cut(text: string, most: number, size: (text: string) => number = count): string {
  if (text.length <= most * unitsEach && size(text) <= most) return text
  const ends = startsOf(text, most * unitsEach)
  let best = '…'
  let low = 0
  let high = ends.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const candidate = `${text.slice(0, ends[middle]).trimEnd()}…`
    if (size(candidate) <= most) {
      best = candidate
      low = middle + 1
    } else {
      high = middle - 1
    }
  }
  return best
}

function count(text: string): number {
  let found = 0
  for (const _ of graphemesOf(text)) found += 1
  return found
}

/** Where graphemes begin, up to a place; so a text of megabytes costs no more than what is kept of it. */
function startsOf(text: string, most: number): number[] {
  const starts: number[] = []
  for (const { index } of graphemesOf(text)) {
    if (index > most) break
    starts.push(index)
  }
  return starts
}
