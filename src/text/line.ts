const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu

/** What reorders the text beside it (Unicode Standard Annex 9), and the byte order mark. */
const unseen = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

/** Well-formed text on one line, without control or direction characters: safe in a terminal. */
export function printable(text: string): string {
  return text.toWellFormed().replace(breaks, ' ').replace(unseen, '')
}

/** The same with single blanks: safe in a header and a page too. Blanks at which no line is broken stay as they are. */
export function oneLine(text: string): string {
  return printable(text)
    .replace(/[^\S\u00a0\u202f]+/gu, ' ')
    .trim()
}
