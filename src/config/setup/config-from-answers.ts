import { Document, isMap, isPair, isScalar } from 'yaml'
import * as z from 'zod'
import { visible } from '../../platform/text.ts'
import { ConfigError, type ConfigProblem } from '../error.ts'
import { parseConfigFile } from '../load.ts'
import { type AnswerId, type Answers, answered, channelSetup, operatorsPlace, setupOf } from './answers.ts'
import { questionOf } from './questions.ts'

/** What will be written. */
interface ComposedConfig {
  /** The text of the configuration. It names secrets as `${NAME}`. */
  yaml: string
  /** The secrets, for `.env`. */
  variables: Record<string, string>
}

/**
 * The configuration that the answers make. Also of some of them, so that each can be judged when it is given. A variable
 * that is set to something else keeps its value: the secret gets another name.
 */
export function compose(
  answers: Answers,
  ...set: readonly Record<string, string | undefined>[]
): ComposedConfig {
  const variables: Record<string, string> = {}
  const settings = settingsOf(answers, {
    secret(wanted, value) {
      const name = freeName(wanted, '_', (free) => set.every(({ [free]: other = value }) => other === value))
      variables[name] = value
      return `\${${name}}`
    },
    plain,
  })
  return { yaml: written(settings), variables }
}

/** The same as it was typed, with its secrets: what is made in a browser names no variable. */
export function composeTyped(answers: Answers): ComposedSettings {
  const typed = settingsOf(answers, { secret: (_name, value) => value, plain: (text) => text })
  return ComposedSettings.parse(JSON.parse(JSON.stringify(typed)))
}

const Section = z.record(z.string(), z.unknown())
/** The sections that the answers make, raw. The first channel is the one that was asked for. */
const ComposedSettings = z.object({
  monitor: Section.optional(),
  slack: Section.optional(),
  discord: Section.optional(),
  email: Section.optional(),
  channels: z.tuple([Section.and(z.object({ name: z.string() }))]).rest(Section),
})
type ComposedSettings = z.infer<typeof ComposedSettings>

/** The name, or the name with the first number that makes it free. */
export function freeName(name: string, mark: string, isFree: (name: string) => boolean): string {
  let free = name
  for (let number = 2; !isFree(free); number += 1) free = `${name}${mark}${number}`
  return free
}

const Accounts = z.record(z.string(), z.unknown())

interface SettingsWriting {
  /** What stands in the place of a secret; `name` is its variable. */
  secret(name: string, value: string): string
  plain(text: string): string
}

function settingsOf(answers: Answers, writing: SettingsWriting) {
  const secret = (name: string, value: string | undefined) =>
    value === undefined ? undefined : writing.secret(name, value)
  const textOf = (value: string | undefined) => (value === undefined ? undefined : writing.plain(value))
  const text = (id: AnswerId) => textOf(answered(answers, id))
  const way = channelSetup(answers)
  const accounts = Accounts.parse(JSON.parse(answers.accounts ?? '{}'))
  const name = text('name') ?? 'ai-desk'
  const ofOperators = operatorsPlace(answers)
  const operators = ofOperators === undefined ? name : name === 'operators' ? 'trouble' : 'operators'
  return {
    monitor:
      text('service') === undefined
        ? undefined
        : {
            baseUrl: text('service'),
            apiKey: secret('MONITOR_API_KEY', answered(answers, 'serviceKey')),
            tier: number(text('tier')),
          },
    webhook: text('publicUrl') === undefined ? undefined : { publicUrl: text('publicUrl') },
    server: (text('port') ?? '8080') === '8080' ? undefined : { port: number(text('port')) },
    slack:
      way === 'slack-bot'
        ? (accounts.slack ?? {
            token: secret('SLACK_BOT_TOKEN', answered(answers, 'slackToken')),
            apiUrl: text('slackApi'),
          })
        : undefined,
    discord:
      way === 'discord-bot'
        ? (accounts.discord ?? {
            token: secret('DISCORD_BOT_TOKEN', answered(answers, 'discordToken')),
            apiUrl: text('discordApi'),
          })
        : undefined,
    email:
      way === 'email'
        ? (accounts.email ?? { smtp: secret('SMTP_URL', smtpUrl(answers)), from: text('mailFrom') })
        : undefined,
    operators: [operators],
    channels: [
      {
        name,
        ...channelAt(way && answered(answers, setupOf(way).answer)),
        timeZone: text('timeZone'),
        language: text('language'),
      },
      ...(ofOperators === undefined
        ? []
        : [
            {
              name: operators,
              ...channelAt(ofOperators, 'OPERATORS_WEBHOOK_URL'),
              timeZone: text('timeZone'),
              // Trouble alone, and no alert.
              events: [],
            },
          ]),
    ],
  }

  function channelAt(place: string | undefined, variable?: string) {
    if (way === undefined) return {}
    const { kind, key, answer } = setupOf(way)
    const { type, variable: usual = '' } = questionOf(answer)
    const value = type === 'secret' ? secret(variable ?? usual, place) : textOf(place)
    return {
      type: kind,
      [key]: way === 'email' ? value && listed(value) : value,
      ...(way === 'webhook' && {
        secret: secret('WEBHOOK_CHANNEL_SECRET', answered(answers, 'webhookSecret')),
        allowPrivate: truth(text('webhookPrivate')),
      }),
    }
  }
}

/** As the configuration has text that names no variable. */
function plain(text: string): string {
  return text.replaceAll('${', () => '$${')
}

/** Port 465 is TLS from the first byte (RFC 8314, 3.3); any other begins in the clear and goes on with STARTTLS. */
export function smtpUrl(answers: Answers): string | undefined {
  const server = answered(answers, 'smtpServer')
  if (server === undefined) return undefined
  const user = answered(answers, 'smtpUser')
  const login =
    user === undefined ? '' : `${encoded(user)}:${encoded(answered(answers, 'smtpPassword') ?? '')}@`
  return `${server.endsWith(':465') ? 'smtps' : 'smtp'}://${login}${server}`
}

/** Quotes as well, which mean something in `.env`. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function truth(text: string | undefined): boolean | string | undefined {
  return text === 'true' || text === 'false' ? text === 'true' : text
}

function number(text: string | undefined): number | string | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : text
}

const head = ` Written by bluepencil init. All keys are in bluepencil.schema.json of the package, an example in bluepencil.example.yaml.
 The secrets are in .env: \${NAME} is a variable from there or from the environment.`

const comments: Record<string, string> = {
  monitor: ' The monitoring service. A quarter of the plan’s requests is kept for people’s questions.',
  webhook:
    ' Under this address the service reaches serve. Bluepencil makes its own subscription and keeps it.',
  operators: ' Who is notified of trouble: a channel that accepts nothing, a lost subscription, a full disk.',
  channels: ` Each channel gets every alert, or only what its filters accept. They look like this:
   models: [claude, gemini]
   categories: [political]
   events: [policy_change, censorship_spike]
   minDelta: 5          # percentage points, rises and falls alike
   direction: rise      # rise | fall | both`,
}

const withoutService = ` Nothing is reported until the monitoring service is named; then add MONITOR_API_KEY to .env.
 monitor:
   baseUrl: https://monitor.example/v1
   apiKey: \${MONITOR_API_KEY}
 webhook:
   publicUrl: https://alerts.desk.example`

function written(settings: Record<string, unknown>): string {
  const kept = Object.entries(settings).filter(([, value]) => value !== undefined)
  const document = new Document(JSON.parse(JSON.stringify(Object.fromEntries(kept))))
  document.commentBefore = head
  if (settings.monitor === undefined) document.comment = withoutService
  const pairs = isMap(document.contents) ? document.contents.items : []
  for (const pair of pairs) {
    if (!isPair(pair) || !isScalar(pair.key)) continue
    pair.key.spaceBefore = pair !== pairs[0]
    const comment = comments[String(pair.key.value)]
    if (comment !== undefined) pair.key.commentBefore = comment
  }
  return document.toString({ lineWidth: 0 })
}

/**
 * What is wrong with an answer as it is written, by the rules of the configuration that it makes; nothing is asked
 * of anybody else. The end of a sentence that begins with what was asked for. It repeats no answer, but the wrong one of several
 * recipients.
 */
export function flawOf(id: AnswerId, answers: Answers): string | undefined {
  const { key, fallback } = questionOf(id)
  const answer = answers[id] ?? ''
  if (answer === '') return fallback === undefined || fallback(answers) !== '' ? 'is empty' : undefined
  if (/[\p{Cc}\p{Cs}]/u.test(answer)) return 'has a control character in it; copy it again'
  if (id === 'channel') return whyNoChoice(answer)
  if (id === 'smtpServer') return whyNoServer(answer)
  return key === undefined ? undefined : problemAt(key, answers)
}

function whyNoChoice(answer: string): string | undefined {
  const choices = questionOf('channel').choices?.map(({ value }) => value) ?? []
  return choices.includes(answer) ? undefined : `must be one of ${choices.join(', ')}`
}

export function whyNoServer(answer: string): string | undefined {
  const [, port = '587'] = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?$/i.exec(answer) ?? [undefined, '']
  return Number(port) > 0 && Number(port) <= 65_535
    ? undefined
    : 'is not a mail server; write its name and port, such as mail.desk.example:587'
}

function problemAt(key: string, answers: Answers): string | undefined {
  const { yaml, variables } = compose(answers)
  try {
    parseConfigFile(yaml, 'the answers', variables).compose({})
    return undefined
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    // Without a key: it reads as a variable, and the earlier answers do not.
    const places = [`${key}[`, `${key}.`]
    const here = error.problems.find(
      ({ key: at }) => at === '' || at === key || places.some((place) => at.startsWith(place)),
    )
    return here && (ofRecipient(here, answers) ?? here.message)
  }
}

/** Which of several recipients is wrong. */
function ofRecipient({ key, message }: ConfigProblem, answers: Answers): string | undefined {
  const [, index] = /^channels\[0\]\.to\[(\d+)\]$/.exec(key) ?? []
  const all = listed(answers.mailTo ?? '')
  const wrong = all[Number(index)]
  if (all.length < 2 || wrong === undefined) return undefined
  return `has ${wrong === '' ? 'an empty entry' : `“${visible(wrong)}”`} in it, which ${message}`
}

function listed(text: string): string[] {
  return text.split(',').map((one) => one.trim())
}
