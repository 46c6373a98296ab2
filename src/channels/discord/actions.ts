/** The buttons of an alert. The verb is part of what comes back with a click, and stays: older messages have it, too. */
export const discordActions = {
  acknowledge: { verb: 'acknowledge', label: 'toAcknowledge' },
  silence: { verb: 'silence', label: 'toSilence' },
  history: { verb: 'history', label: 'toHistory' },
} as const

type DiscordActionVerb = (typeof discordActions)[keyof typeof discordActions]['verb']

const longestId = 100

/** What comes back with a click; undefined where the event's id is too long to come back whole. */
export function customId(verb: DiscordActionVerb, about: string): string | undefined {
  const id = `${verb} ${about}`
  return id.length <= longestId ? id : undefined
}

export function readCustomId(id: string): { verb: DiscordActionVerb; about: string } | undefined {
  const blank = id.indexOf(' ')
  const found = Object.values(discordActions).find(({ verb }) => verb === id.slice(0, blank))
  return found && { verb: found.verb, about: id.slice(blank + 1) }
}
