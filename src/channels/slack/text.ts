import { cut as cutTo, printable } from '../../platform/text.ts'

const visible = /[^\p{C}\p{Z}\p{M}]|\p{Co}/u

/**
 * One line of plain text: nothing that moves a cursor, turns the reading direction or is half a character
 * (which cannot be sent as UTF-8). Empty if there would be nothing to see, which Slack refuses.
 */
export function plain(text: string): string {
  const line = printable(text).trim()
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
  return cutTo(text, limit, (part) => escapeControl(part).length)
}

/** What Slack can mention: the people who are there now, all of the channel, a person, a group. */
export const slackMention = /^(here|channel|[UWS][A-Z0-9]{6,})$/

/** As Slack's markup writes it (https://docs.slack.dev/messaging/formatting-message-text#mentioning-users). */
export function mentionMarkup(who: string): string {
  if (who === 'here' || who === 'channel') return `<!${who}>`
  return who.startsWith('S') ? `<!subteam^${who}>` : `<@${who}>`
}
