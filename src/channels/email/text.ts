const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** What ends a line, moves a cursor or turns the reading direction. */
const breaks = /[\p{Cc}\u2028\u2029]+/gu
const bidi = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

/** Well-formed text without control or direction characters: safe in a terminal. */
export function printable(text: string): string {
  return text.toWellFormed().replace(breaks, ' ').replace(bidi, '')
}

/** The same with single blanks: safe in a header and a page too. */
export function oneLine(text: string): string {
  return printable(text).replace(/\s+/gu, ' ').trim()
}

/**
 * Mail readers make links of what looks like one, unasked: `https://x`, `www.x.y`, `x.example`, `a@b`. A
 * zero-width space before the sign that they look for stops that, and is not seen. "GPT-4.5" stays as it is.
 */
export function unlink(text: string): string {
  return text
    .replace(/(?<=\p{L}[\p{L}\p{N}+.-]*):(?=[^\s:])|@/gu, '\u200b$&')
    .replace(/(?<=[\p{L}\p{N}_-])[.。．｡](?=[\p{L}\p{N}])/gu, (dot, at: number, whole: string) =>
      /^\d.\d$/u.test(whole.slice(at - 1, at + 2)) ? dot : `\u200b${dot}`,
    )
}

/**
 * At most so many graphemes, the last of them an ellipsis where something was cut. Bounded in UTF-16 units too:
 * one grapheme can carry any number of combining marks.
 */
export function cut(text: string, most: number): string {
  const units = most * 8
  const head = text.slice(0, units).toWellFormed()
  const parts = Array.from(graphemes.segment(head), ({ segment }) => segment)
  if (parts.length <= most && text.length <= units) return text
  return `${parts
    .slice(0, most - 1)
    .join('')
    .trimEnd()}…`
}

/** Columns that the text takes in a fixed-width font. */
export function columns(text: string): number {
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += columnsOf(segment)
  return width
}

function columnsOf(grapheme: string): number {
  if (/^\p{Default_Ignorable_Code_Point}+$/u.test(grapheme)) return 0
  return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u.test(
    grapheme,
  )
    ? 2
    : 1
}

/** Lines of at most `width` columns, broken at blanks, and within a word only where it is longer than a line. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  let used = 0
  for (const word of text.split(' ')) {
    const size = columns(word)
    if (line !== '' && used + 1 + size <= width) {
      line += ` ${word}`
      used += 1 + size
      continue
    }
    if (line !== '') lines.push(line)
    line = ''
    used = 0
    for (const { segment } of graphemes.segment(word)) {
      const more = columnsOf(segment)
      if (used + more > width) {
        lines.push(line)
        line = ''
        used = 0
      }
      line += segment
      used += more
    }
  }
  return [...lines, line]
}
