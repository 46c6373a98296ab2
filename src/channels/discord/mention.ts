/** What Discord can mention: those who are there now, all of the channel, a person by id, a role by & and its id. */
export const discordMention = /^(here|channel|@?&?\d{17,20})$/

/** What of a message rings somebody, and what Discord is told to let ring (https://docs.discord.com/developers/resources/message#allowed-mentions-object). */
export interface Mentions {
  /** What stands before the headline, with a blank; empty where nobody is mentioned. */
  text: string
  allowed: { parse: 'everyone'[]; users?: string[]; roles?: string[] }
}

/** Exactly these ring: no user, role or everyone that a text names beside them. */
export function mentionsFor(who: readonly string[]): Mentions {
  const broad = who.flatMap((one) => (one === 'here' ? ['@here'] : one === 'channel' ? ['@everyone'] : []))
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
  const named = who.filter((one) => /\d/.test(one)).map((one) => one.replace('@', ''))
  return {
    users: named.filter((one) => !one.startsWith('&')),
    roles: named.filter((one) => one.startsWith('&')).map((one) => one.slice(1)),
  }
}
