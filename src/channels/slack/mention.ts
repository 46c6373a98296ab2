/** What Slack can mention: the people who are there now, all of the channel, a person, a group. */
export const slackMention = /^(here|channel|[UWS][A-Z0-9]{6,})$/

/** As Slack's markup writes it (https://docs.slack.dev/messaging/formatting-message-text#mentioning-users). */
export function mentionMarkup(who: string): string {
  if (who === 'here' || who === 'channel') return `<!${who}>`
  return who.startsWith('S') ? `<!subteam^${who}>` : `<@${who}>`
}
