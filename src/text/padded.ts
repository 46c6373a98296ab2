import stringWidth from 'string-width'

/** The text and as many blanks as make it `width` cells of a terminal; colours have none. */
export function padded(text: string, width: number, align?: 'right'): string {
  const space = ' '.repeat(Math.max(width - stringWidth(text), 0))
  return align === 'right' ? space + text : text + space
}
