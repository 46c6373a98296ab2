import { cut } from './cut.ts'

/**
 * Text from outside as one harmless line: no control, format or bidirectional characters, no lone surrogates,
 * no line breaks, not longer than `most` characters. Markup is left to each channel's format.
 */
export function plain(text: string, most = 200): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\p{Cf}\p{Co}\p{Cn}]/gu, '')
    .trim()
  return line.length <= most ? line : cut(line, most)
}
