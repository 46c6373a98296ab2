import stringWidth from 'string-width'
import wrapAnsi from 'wrap-ansi'

/** The text and as many blanks as make it `width` cells of a terminal; colours have none. */
export function padded(text: string, width: number, align?: 'right'): string {
  const space = ' '.repeat(Math.max(width - stringWidth(text), 0))
  return align === 'right' ? space + text : text + space
}

/**
 * Lines of at most `width` cells of a terminal, broken at blanks. A word that is longer than a line is broken anywhere,
 * or kept whole: an address that somebody will copy. Colours go on in the next line, but not over a line end of `text`.
 */
export function wrap(text: string, width: number, longWord: 'broken' | 'whole' = 'broken'): string[] {
  return wrapAnsi(text, width, { hard: longWord === 'broken' }).split('\n')
}
