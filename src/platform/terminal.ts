import { styleText } from 'node:util'
import { closest, distance } from 'fastest-levenshtein'
import stringWidth from 'string-width'
import wrapAnsi from 'wrap-ansi'

/** The text and as many blanks as make it `width` cells of a terminal; colours have none. */
export function padded(text: string, width: number, align?: 'right'): string {
  const space = ' '.repeat(Math.max(width - stringWidth(text), 0))
  return align === 'right' ? space + text : text + space
}

/** The text in colour or weight where the terminal shows them; whether it does was asked before. */
export function painted(format: Parameters<typeof styleText>[0], text: string, colour: boolean): string {
  return colour ? styleText(format, text, { validateStream: false }) : text
}

/**
 * Lines of at most `width` cells of a terminal, broken at blanks. A word that is longer than a line is broken anywhere,
 * or kept whole: an address that somebody will copy. Colours go on in the next line, but not over a line end of `text`.
 */
export function wrap(text: string, width: number, longWord: 'broken' | 'whole' = 'broken'): string[] {
  return wrapAnsi(text, width, { hard: longWord === 'broken' }).split('\n')
}

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
