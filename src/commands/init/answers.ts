/** How alerts can go out: what a channel of each kind needs is asked for it alone. */
const ways = ['slack-webhook', 'slack-bot', 'discord-webhook', 'discord-bot', 'email', 'webhook'] as const
export type ChannelSetup = (typeof ways)[number]

const answerIds = [
  'channel',
  'slackWebhook',
  'slackToken',
  'slackChannel',
  'slackApi',
  'discordWebhook',
  'discordToken',
  'discordChannel',
  'discordApi',
  'smtpServer',
  'smtpUser',
  'smtpPassword',
  'mailFrom',
  'mailTo',
  'webhookAddress',
  'webhookSecret',
  'webhookPrivate',
  'name',
  'timeZone',
  'language',
  'operators',
  'operatorsWebhook',
  'service',
  'serviceKey',
  'tier',
  'publicUrl',
  'port',
] as const
export type AnswerId = (typeof answerIds)[number]

/** As they were typed, without the blanks around them. Absent: not answered yet; empty: to be left out. */
export type Answers = Partial<Record<AnswerId, string>>

export function wayOf({ channel }: Answers): ChannelSetup | undefined {
  return ways.find((way) => way === channel)
}

/** Where the operators are notified, if not in the channel itself. */
export function operatorsPlace(answers: Answers): string | undefined {
  const way = wayOf(answers)
  const place = given(answers, way?.endsWith('webhook') === true ? 'operatorsWebhook' : 'operators')
  return way === undefined || place === given(answers, destination[way]) ? undefined : place
}

/** The answer that says where messages go. */
export const destination = {
  'slack-webhook': 'slackWebhook',
  'slack-bot': 'slackChannel',
  'discord-webhook': 'discordWebhook',
  'discord-bot': 'discordChannel',
  email: 'mailTo',
  webhook: 'webhookAddress',
} as const satisfies Record<ChannelSetup, AnswerId>

/** An answer that is there and not left out. */
export function given(answers: Answers, id: AnswerId): string | undefined {
  const answer = answers[id]
  return answer === '' ? undefined : answer
}
