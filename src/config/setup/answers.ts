import type { channelKinds } from '../../channels/registry.ts'

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

/** A way to set a channel up. */
interface ChannelSetupWay {
  /** What people choose. */
  name: string
  /** The key that says where messages go, and the answer that gives it. */
  key: 'to' | 'webhookUrl'
  answer: AnswerId
}

/** How a channel of each kind can be set up: what it needs is asked for it alone. */
const setups = {
  slack: {
    'slack-webhook': {
      name: 'Slack, by an incoming webhook (the quickest way)',
      key: 'webhookUrl',
      answer: 'slackWebhook',
    },
    'slack-bot': {
      name: 'Slack, by a bot (edits what it sent; no duplicates after a crash)',
      key: 'to',
      answer: 'slackChannel',
    },
  },
  discord: {
    'discord-webhook': { name: 'Discord, by a webhook', key: 'webhookUrl', answer: 'discordWebhook' },
    'discord-bot': {
      name: 'Discord, by a bot (no duplicates after a crash)',
      key: 'to',
      answer: 'discordChannel',
    },
  },
  email: { email: { name: 'E-mail', key: 'to', answer: 'mailTo' } },
  // Only a file can have it: it writes to where serve was started.
  console: {},
  webhook: { webhook: { name: 'Another program, as signed JSON', key: 'to', answer: 'webhookAddress' } },
} as const satisfies Record<keyof typeof channelKinds, Record<string, ChannelSetupWay>>
export type ChannelSetup = { [Kind in keyof typeof setups]: keyof (typeof setups)[Kind] }[keyof typeof setups]

/** All of them, in the order in which people choose. */
export const channelSetups = Object.entries<Record<string, ChannelSetupWay>>(setups).flatMap(([kind, ways]) =>
  Object.entries(ways).map(([id, way]) => ({ id: id as ChannelSetup, kind, ...way })),
)

/** As they were typed, without the blanks around them. Absent: not answered yet; empty: to be left out. */
export type Answers = Partial<Record<AnswerId, string>>

export function channelSetup({ channel }: Answers): ChannelSetup | undefined {
  return channelSetups.find(({ id }) => id === channel)?.id
}

export function setupOf(way: ChannelSetup) {
  const setup = channelSetups.find(({ id }) => id === way)
  if (setup === undefined) throw new Error(`there is no set-up ${way}`)
  return setup
}

/** Where the operators are notified, if not in the channel itself. */
export function operatorsPlace(answers: Answers): string | undefined {
  const way = channelSetup(answers)
  const place = answered(answers, way?.endsWith('webhook') === true ? 'operatorsWebhook' : 'operators')
  return way === undefined || place === answered(answers, setupOf(way).answer) ? undefined : place
}

/** The answers that would make a channel, as it is written; undefined if it cannot be set up so. */
export function answersOf(
  channel: Record<string, unknown>,
): (Answers & { channel: ChannelSetup }) | undefined {
  const setup = channelSetups.find(({ kind, key }) => kind === channel.type && channel[key] !== undefined)
  if (setup === undefined) return undefined
  const text = (key: string) => [channel[key] ?? ''].flat().map(String)
  return {
    channel: setup.id,
    [setup.answer]: text(setup.key).join(','),
    name: text('name').join(),
    timeZone: text('timeZone').join(),
    language: text('language').join(),
    ...(setup.kind === 'webhook' && {
      webhookSecret: text('secret')[0] ?? '',
      webhookPrivate: channel.allowPrivate === true ? 'true' : '',
    }),
  }
}

/** The answers that stand for accounts that are there, raw: nothing of them is asked. */
export function ofAccounts(accounts: Partial<Record<'slack' | 'discord' | 'email', unknown>>): Answers {
  const { slack, discord, email } = accounts
  return {
    // In the answers, `$${` is no variable.
    accounts: JSON.stringify(accounts).replaceAll('${', () => '$${'),
    ...(slack !== undefined && { slackApi: '', slackToken: '' }),
    ...(discord !== undefined && { discordApi: '', discordToken: '' }),
    ...(email !== undefined && { smtpServer: '', smtpUser: '', mailFrom: '' }),
  }
}

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
  /** Absent if it is an option alone: nobody is asked. */
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
  /** What is suggested, and taken if nobody can be asked; empty: it may be left out. */
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
