import { isSeq, parseDocument } from 'yaml'
import * as z from 'zod'
import { parseConfig } from '../../config/load.ts'
import { type Answers, answered, channelSetup } from '../../config/setup/answers.ts'
import { compose, freeName } from '../../config/setup/compose.ts'
import { channelName, questions } from '../../config/setup/questions.ts'
import { configFileOf, configOf } from '../configuration.ts'
import { makeAccount } from '../console-user.ts'
import { CommandFailure } from '../failure.ts'
import type { Terminal } from '../terminal.ts'
import type { Prompter } from './ask.ts'
import { interview, withoutAsking } from './interview.ts'

/** What `init` can do to a configuration that is there. */
export type Addition = 'channel' | 'service' | 'account'

interface AdditionParts {
  file: string
  /** The text of that file. */
  before: string
  offers: Answers
  person: Prompter | undefined
  terminal: Terminal
  isTried: boolean
  /** The variables of `.env`. */
  variables: Record<string, string | undefined>
}

interface AdditionResult {
  yaml: string
  /** The secrets, for `.env`. */
  variables: Record<string, string>
  /** What there is now; a sentence. */
  made: string
}

/** Changes the text of the configuration: comments and order stay. Undefined if nothing is to be changed. */
export async function addTo(addition: Addition, parts: AdditionParts): Promise<AdditionResult | undefined> {
  const result = await { channel: addChannel, service: setService, account: addAccount }[addition](parts)
  if (result === undefined) return undefined
  // Nothing is written that serve would refuse.
  parseConfig(result.yaml, parts.file, { ...parts.variables, ...process.env, ...result.variables })
  return result
}

const Sections = z.record(z.string(), z.unknown())

/** A second channel of a kind uses the account that is there. */
async function addChannel(parts: AdditionParts): Promise<AdditionResult> {
  const { slack, discord, email } = Sections.parse(configFileOf({ config: parts.file }).value)
  const { channels } = await configOf({ config: parts.file })
  const isFree = (name: string) => channels.every((channel) => channel.name !== name)
  const kindOf = (answers: Answers) => channelSetup(answers)?.replace(/^email$|-.*/, '') || 'mail'
  const remaining = questions
    .filter(({ id }) => !/^(operators|service|tier$|port$|publicUrl$)/.test(id))
    .map((question) => ({
      ...question,
      ...(question.id === 'name' && {
        ask: 'Name of the channel, for commands and logs:',
        fallback: (answers: Answers) => freeName(channelName(answers, kindOf(answers)), '-', isFree),
        refuses: (name: string) => (isFree(name) ? undefined : 'is the name of another channel'),
      }),
    }))
  const preset: Answers = {
    // In the answers, `$${` is no variable.
    accounts: JSON.stringify({ slack, discord, email }).replaceAll('${', () => '$${'),
    operators: '',
    operatorsWebhook: '',
    service: '',
    port: '8080',
    ...(slack !== undefined && { slackApi: '', slackToken: '' }),
    ...(discord !== undefined && { discordApi: '', discordToken: '' }),
    ...(email !== undefined && { smtpServer: '', smtpUser: '', mailFrom: '' }),
  }
  const answers = await answersTo(parts, { asked: remaining, preset })
  const { accounts: _accounts, ...others } = answers
  const { yaml, variables } = compose(others, parts.variables, process.env)
  const composed = parseDocument(yaml)
  const document = parseDocument(parts.before)
  for (const key of ['slack', 'discord', 'email'])
    if (composed.has(key) && !document.has(key)) document.set(key, composed.get(key, true))
  append(document, ['channels'], composed.getIn(['channels', 0], true))
  const made = `${parts.file} has the channel ${answers.name} now; a running serve reads it by itself.`
  return { yaml: textOf(document, parts.before), variables, made }
}

async function setService(parts: AdditionParts): Promise<AdditionResult | undefined> {
  const { monitor, webhook, server } = await configOf({ config: parts.file })
  const current: Answers = { service: monitor?.baseUrl ?? '', publicUrl: webhook.publicUrl ?? '' }
  const remaining = questions
    .filter(({ id }) => ['service', 'serviceKey', 'tier', 'publicUrl'].includes(id))
    .map((question) => {
      const suggested = current[question.id]
      return suggested === undefined ? question : { ...question, fallback: () => suggested }
    })
  const answers = await answersTo(parts, { asked: remaining, preset: { port: String(server.port) } })
  if (answered(answers, 'service') === undefined) return undefined
  // A key in .env is replaced; one in the environment, which wins, gets no other value there.
  const { yaml, variables } = compose(answers, process.env)
  const composed = parseDocument(yaml)
  const document = parseDocument(parts.before)
  for (const path of ['monitor.baseUrl', 'monitor.apiKey', 'monitor.tier', 'webhook.publicUrl'].map((key) =>
    key.split('.'),
  ))
    if (composed.hasIn(path)) document.setIn(path, composed.getIn(path))
  document.deleteIn(['monitor', 'oauth'])
  const made = `${parts.file} has the monitoring service now; a running serve reads it by itself.`
  return { yaml: textOf(document, parts.before), variables, made }
}

const roles = ['reader', 'editor', 'admin'] as const

async function addAccount({ file, before, person }: AdditionParts): Promise<AdditionResult> {
  if (person === undefined)
    throw new CommandFailure('without a terminal, console-user makes what stands under console.users', 2)
  const { console } = await configOf({ config: file })
  const name = await person.text('Name to sign in with, such as ana:', undefined)
  const choices = roles.map((value) => ({ value, name: value }))
  const first = console?.users === undefined ? 'admin' : 'reader'
  const chosen = await person.choice('What may they do?', choices, first)
  const account = await makeAccount(name.trim(), roles.find((role) => role === chosen) ?? first)
  const document = parseDocument(before)
  append(document, ['console', 'users'], document.createNode(account))
  // In a container, 127.0.0.1 is the container alone.
  const host = process.env.BLUEPENCIL_CONSOLE_HOST
  if (host && !document.hasIn(['console', 'listen'])) document.setIn(['console', 'listen', 'host'], host)
  const made = `${file} has the account ${account.name} now. Start serve anew: the console reads its accounts then.`
  return { yaml: textOf(document, before), variables: {}, made }
}

function answersTo(
  { offers, person, terminal, isTried }: AdditionParts,
  which: Required<Pick<Parameters<typeof interview>[0], 'asked' | 'preset'>>,
): Promise<Answers> {
  const complete = person === undefined ? withoutAsking(offers, process.env, which) : offers
  return interview({ offers: complete, person, terminal, isTried, ...which })
}

function append(document: ReturnType<typeof parseDocument>, path: string[], item: unknown): void {
  const list = document.getIn(path, true)
  if (isSeq(list)) {
    list.flow = false
    list.add(item)
  } else document.setIn(path, document.createNode([item]))
}

/** Lists stay as they were written, as far as one rule for all of them can do that. */
function textOf(document: ReturnType<typeof parseDocument>, before: string): string {
  return document.toString({
    lineWidth: 0,
    indentSeq: !/^- /m.test(before),
    flowCollectionPadding: /[[{] /.test(before),
  })
}
