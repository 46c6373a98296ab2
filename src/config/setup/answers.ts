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
  // Nobody is asked: what a configuration that is there has of `slack`, `discord` and `email`, as JSON.
  'accounts',
] as const
export type AnswerId = (typeof answerIds)[number]

/** As they were typed, without the blanks around them. Absent: not answered yet; empty: to be left out. */
export type Answers = Partial<Record<AnswerId, string>>

export function channelSetup({ channel }: Answers): ChannelSetup | undefined {
  return ways.find((way) => way === channel)
}

/** Where the operators are notified, if not in the channel itself. */
export function operatorsPlace(answers: Answers): string | undefined {
  const way = channelSetup(answers)
  const place = answered(answers, way?.endsWith('webhook') === true ? 'operatorsWebhook' : 'operators')
  return way === undefined || place === answered(answers, destination[way]) ? undefined : place
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
export function answered(answers: Answers, id: AnswerId): string | undefined {
  const answer = answers[id]
  return answer === '' ? undefined : answer
}

/** One answer of `init`: how a person is asked for it, and how a script gives it. */
export interface SetupQuestion {
  id: AnswerId
  /** Absent if it is plain text. A truth is `true`, or left out. */
  type?: 'secret' | 'choice' | 'truth'
  /** Absent where it is an option alone: nobody is asked. */
  ask?: string
  /** Where to find the answer; shown before it is asked for. */
  hint?: string
  /** The same for a browser, if the hint names commands. */
  steps?: readonly string[]
  choices?: readonly { value: string; name: string }[]
  /** What stands behind its option in the help, and what it is. */
  argument: string
  summary: string
  /**
   * The environment variable that a script may use instead, so that no secret stands in a list of processes. A person is
   * asked: a variable of that name may have been set for another program.
   */
  variable?: string
  /** Where it stands in the configuration, whose rules judge it. */
  key?: string
  /** What it is about: with another answer to that, it is asked again. */
  about?: AnswerId
  /** Absent if it is always asked. */
  applies?(answers: Answers): boolean
  /** What is suggested, and taken where nobody can be asked; empty: it may be left out. */
  fallback?(answers: Answers): string | undefined
  /** Why an answer cannot be accepted beside what is there: the end of a sentence. */
  refuses?(answer: string): string | undefined
}

/** When a question is asked: for a channel of one of these ways; if a monitoring service is named. */
export const by =
  (...ways: ChannelSetup[]) =>
  (answers: Answers) =>
    ways.some((way) => way === channelSetup(answers))
export const withService = (answers: Answers) => answered(answers, 'service') !== undefined
