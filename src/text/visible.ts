/**
 * What a terminal obeys, turns around or cannot show, line ends and tabs excepted: C0 and C1 controls, format
 * characters (directions, tags), line and paragraph separators, half characters. Zero widths stay: emoji are
 * joined by them, and the format of mails parts what looks like a link.
 */
const unseen = /(?![\n\t\u200b-\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Most of what is written is nothing else, and this is told faster. */
const plain = /^[\n\t\x20-\x7e]*$/

/** The text with those as `\uXXXX`. Of a JSON document it makes another that reads the same. */
export function visible(text: string): string {
  if (plain.test(text)) return text
  return text.replace(unseen, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}
