const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Characters that reorder what stands beside them (Unicode Standard Annex 9, explicit formatting and marks). */
const bidirectional = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
const visible = /[^\p{C}\p{Z}\p{M}]|\p{Co}/u

/**
 * One line of plain text: nothing that moves a cursor, turns the reading direction or is half a character
 * (which cannot be sent as UTF-8). Empty where there would be nothing to see, which Slack refuses.
 */
export function plain(text: string): string {
  const line = text.toWellFormed().replace(bidirectional, '').replace(breaks, ' ').trim()
  return visible.test(line) ? line : ''
}

/** The three characters that Slack reads as control characters (https://docs.slack.dev/messaging/formatting-message-text). */
export function escapeControl(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/**
 * At most `limit` UTF-16 units, an ellipsis included, cut between two characters as a reader sees them. Counted
 * as escaped: Slack does not say whether its limits count `&` as one or as five.
 */
export function cut(text: string, limit: number): string {
  if (escapeControl(text).length <= limit) return text
  let kept = ''
  let room = limit - 1
  for (const { segment } of graphemes.segment(text.slice(0, limit + 1))) {
    room -= escapeControl(segment).length
    if (room < 0) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}
