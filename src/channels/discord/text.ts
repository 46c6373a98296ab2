import { cut } from '../../platform/text.ts'

/**
 * Text from outside, written so that Discord shows it letter for letter: no link, mention, emoji, timestamp,
 * heading, list, quote, spoiler, code or emphasis comes of it. Discord reads a backslash before any character but
 * a letter, a digit or white space as "this character and nothing more".
 *
 * This escapes everything that discord.js' `escapeMarkdown` does. That one leaves links, mentions and `:emoji:` alive, and
 * emphasis inside what looks like a link or an emoji (discord.js 14.28). It also costs 0.9 s and 60 MB to load: too much
 * for a preview.
 */
export function escapeText(text: string): string {
  return text
    .replace(/[\\`*_~|<>[\]()@/]/g, String.raw`\$&`)
    .replace(/:(?=\S)/g, String.raw`\:`)
    .replace(/^(\s*)(#|[-+](?=\s|#))/gm, String.raw`$1\$2`)
    .replace(/^(\s*\d+)\.(?=\s)/gm, String.raw`$1\.`)
}

/** The same text, for the places that Discord shows without reading markup: an embed's footer. */
export function asIs(text: string): string {
  return text
}

/**
 * The text as it is sent, at most so many UTF-16 units long; what is too long ends in an ellipsis, cut between
 * graphemes and never inside an escape. Discord counts what is sent, backslashes included, and in characters:
 * never more than units. Text that would show nothing becomes a dash, since Discord refuses an empty field.
 */
export function fit(text: string, most: number, written: (text: string) => string = escapeText): string {
  const line = text.toWellFormed().trim()
  if (!/[\p{L}\p{N}\p{P}\p{S}]/u.test(line)) return '—'
  return written(cut(line, most, (part) => written(part).length))
}

/** What Discord can mention: those who are there now, all of the channel, a person by id, a role by & and its id. */
export const discordMention = /^(here|channel|@?&?\d{17,20})$/

/** What of a message notifies people, and whom Discord may notify (https://docs.discord.com/developers/resources/message#allowed-mentions-object). */
export interface Mentions {
  /** What stands before the headline, with a blank; empty if nobody is mentioned. */
  text: string
  allowed: { parse: 'everyone'[]; users?: string[]; roles?: string[] }
}

/** Exactly these are notified: no user, role or everyone that a text names beside them. */
export function mentionsFor(who: readonly string[]): Mentions {
  const broad = who.flatMap((name) => (name === 'here' ? ['@here'] : name === 'channel' ? ['@everyone'] : []))
  const { roles, users } = idsOf(who)
  const names = [...broad, ...roles.map((id) => `<@&${id}>`), ...users.map((id) => `<@${id}>`)]
  return {
    text: names.map((name) => `${name} `).join(''),
    allowed: {
      parse: broad.length > 0 ? ['everyone'] : [],
      ...(users.length > 0 && { users }),
      ...(roles.length > 0 && { roles }),
    },
  }
}

/** The ids among those who are mentioned. */
export function idsOf(who: readonly string[]): { users: string[]; roles: string[] } {
  const named = who.filter((name) => /\d/.test(name)).map((name) => name.replace('@', ''))
  return {
    users: named.filter((name) => !name.startsWith('&')),
    roles: named.filter((name) => name.startsWith('&')).map((name) => name.slice(1)),
  }
}
