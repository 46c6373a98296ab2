import { listed } from '../../platform/text.ts'
import { type AnswerId, type Answers, by, channelSetups, type SetupQuestion, withService } from './answers.ts'
import { channelQuestions } from './channel-questions.ts'

const askOperators = 'Who is notified of trouble (empty: the same channel):'
const trouble =
  'Trouble is a full disk, a lost subscription or a channel that rejects messages.\nAnother place gets it alone:'

/** In the order in which they are asked. */
export const questions: readonly SetupQuestion[] = [
  {
    id: 'channel',
    type: 'choice',
    ask: 'Where should alerts go?',
    choices: channelSetups.map(({ id, name }) => ({ value: id, name })),
    argument: '<KIND>',
    summary: listed(
      channelSetups.map(({ id }) => id),
      'or',
    ),
  },
  ...channelQuestions,
  {
    id: 'name',
    argument: '<NAME>',
    summary: 'what the channel is called in commands and logs (else ai-desk, or as it is called in Slack)',
    key: 'channels[0].name',
    fallback: (answers) => channelName(answers),
  },
  {
    id: 'timeZone',
    argument: '<ZONE>',
    summary: 'of the times in messages (else that of this machine)',
    key: 'channels[0].timeZone',
    fallback: () => new Intl.DateTimeFormat().resolvedOptions().timeZone,
  },
  {
    id: 'language',
    type: 'choice',
    choices: [
      { value: 'en', name: 'English' },
      { value: 'de', name: 'German' },
      { value: 'fr', name: 'French' },
      { value: 'es', name: 'Spanish' },
      { value: 'pt', name: 'Portuguese' },
    ],
    argument: '<LANGUAGE>',
    summary: 'of the alerts: en, de, fr, es or pt (else English)',
    key: 'channels[0].language',
    fallback: () => '',
  },
  {
    id: 'operators',
    ask: askOperators,
    hint: `${trouble} write a channel, an id or addresses as above.`,
    argument: '<PLACE>',
    summary: 'who is notified of trouble: a channel, its id, or addresses (else the channel itself)',
    key: 'channels[1]',
    applies: by('slack-bot', 'discord-bot', 'email'),
    fallback: () => '',
  },
  {
    id: 'operatorsWebhook',
    type: 'secret',
    ask: askOperators,
    hint: `${trouble} write the address of another webhook.`,
    argument: '<URL>',
    summary: 'where trouble is reported (else the channel itself)',
    variable: 'OPERATORS_WEBHOOK_URL',
    key: 'channels[1]',
    applies: by('slack-webhook', 'discord-webhook', 'webhook'),
    fallback: () => '',
  },
  {
    id: 'service',
    ask: 'Address of the monitoring service, ending in /v1 (empty: later):',
    argument: '<URL>',
    summary: 'the address of the monitoring service, ending in /v1',
    key: 'monitor.baseUrl',
    fallback: () => '',
  },
  {
    id: 'serviceKey',
    type: 'secret',
    ask: 'API key of the service:',
    hint: 'It is in the service’s dashboard, and needs the scope webhooks.write.',
    argument: '<KEY>',
    summary: 'the API key of the service',
    variable: 'MONITOR_API_KEY',
    key: 'monitor.apiKey',
    applies: withService,
  },
  {
    id: 'tier',
    type: 'choice',
    ask: 'Plan of the key:',
    choices: [
      { value: 'free', name: 'free (100 requests an hour)' },
      { value: 'researcher', name: 'researcher (1,000)' },
      { value: 'pro', name: 'pro (10,000)' },
    ],
    argument: '<PLAN>',
    summary: 'free, researcher, pro, or the requests per hour',
    key: 'monitor.tier',
    about: 'serviceKey',
    applies: withService,
    fallback: () => 'free',
  },
  {
    id: 'port',
    argument: '<N>',
    summary: 'where serve listens (else 8080)',
    key: 'server.port',
    fallback: () => '8080',
  },
  {
    id: 'publicUrl',
    ask: 'Address under which the service reaches this machine (empty: none, polling alone):',
    argument: '<URL>',
    summary: 'the address under which the service reaches us, such as https://alerts.desk.example',
    key: 'webhook.publicUrl',
    applies: withService,
    fallback: () => '',
  },
]

/** What is not answered yet, in the order in which it is asked. */
export function open(answers: Answers, among = questions): SetupQuestion[] {
  return among.filter((question) => answers[question.id] === undefined && isAsked(question, answers))
}

/** Whether the other answers leave the question open. */
export function isAsked({ applies }: SetupQuestion, answers: Answers): boolean {
  return applies?.(answers) ?? true
}

export function questionOf(id: AnswerId): SetupQuestion {
  const question = questions.find((one) => one.id === id)
  if (question === undefined) throw new Error(`there is no question ${id}`)
  return question
}

/** `--slack-token` */
export function flagOf(id: AnswerId): string {
  return `--${id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** The channel's name in Slack, if that can be a name here. */
export function channelName({ slackChannel = '' }: Answers, otherwise = 'ai-desk'): string {
  const [, name = otherwise] = /^#([a-z0-9][a-z0-9-]{0,62})$/.exec(slackChannel) ?? []
  return name
}
