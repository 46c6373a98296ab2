import { existsSync } from 'node:fs'
import { isMap, isSeq, parseDocument, stringify } from 'yaml'
import type { BrowserConfig, ConfigSection } from '../../config/browser-config.ts'
import { composedValue, composeUsable, fileChannels, fileSection, withoutFile } from '../../config/compose.ts'
import { hasSignIn } from '../../config/console.ts'
import { parseConfigFile } from '../../config/load.ts'
import type { Config } from '../../config/schema.ts'
import { type Answers, answered, channelSetup, ofAccounts } from '../../config/setup/answers.ts'
import { compose, freeName } from '../../config/setup/config-from-answers.ts'
import { channelName, questions } from '../../config/setup/questions.ts'
import { storePlace } from '../../store/place.ts'
import { browserConfigAt, configFileOf } from '../configuration.ts'
import { makeAccount } from '../console-user.ts'
import { CommandFailure } from '../failure.ts'
import type { Terminal } from '../terminal.ts'
import type { Prompter } from './ask.ts'
import { interview, withoutAsking } from './interview.ts'

/** What `init` can do to a configuration that is there. */
export type Addition = 'channel' | 'service' | 'account'

interface AdditionParts {
  file: string
  /** The text of that file, or what it begins with. */
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
  const current = await currentConfig(parts.file)
  const add = { channel: addChannel, service: setService, account: addAccount }[addition]
  const result = await add(parts, current)
  if (result === undefined) return undefined
  // Nothing is written that serve would refuse, beside what was made in the browser.
  const environment = { ...parts.variables, ...process.env, ...result.variables }
  parseConfigFile(result.yaml, parts.file, environment).compose(current.usable)
  return result
}

/** The file and what was made in the browser, before the addition. */
interface CurrentConfig {
  config: Config
  usable: BrowserConfig
  /** What the file and the browser have, raw. */
  value: unknown
  /** Whether the browser alone has it. Once the file has it, that of the browser counts no more. */
  isOfBrowser(section: ConfigSection): boolean
}

/** What a new file begins with beside settings made in the browser: the console stays on. Undefined if nothing was set there. */
export async function textBesideBrowser(): Promise<string | undefined> {
  const { base, value } = fileToBe()
  const made = await browserConfigAt(storePlace(base.store))
  return Object.values(made).flat().length === 0 ? undefined : stringify(value)
}

const fileToBe = () => withoutFile(process.env.BLUEPENCIL_CONSOLE_HOST || undefined)

async function currentConfig(path: string): Promise<CurrentConfig> {
  const file = existsSync(path) ? configFileOf({ config: path }) : fileToBe()
  const made = await browserConfigAt(storePlace(file.base.store))
  // Accounts count once there is a console.
  const value = composedValue({ console: {}, ...Object(file.value) }, made)
  return {
    ...composeUsable(file, { made }),
    value,
    isOfBrowser: (section) =>
      fileSection(file.value, section) === undefined && fileSection(value, section) !== undefined,
  }
}

/** A second channel of a kind uses the account that is there. */
async function addChannel(
  parts: AdditionParts,
  { value, isOfBrowser }: CurrentConfig,
): Promise<AdditionResult> {
  const [slack, discord, email] = providers.map((section) => fileSection(value, section))
  const channels = fileChannels(value)
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
    ...ofAccounts({ slack, discord, email }),
    operators: '',
    operatorsWebhook: '',
    service: '',
    port: '8080',
  }
  const answers = await answersTo(parts, { asked: remaining, preset })
  const { accounts: _accounts, ...others } = answers
  const { yaml, variables } = compose(others, parts.variables, process.env)
  const composed = parseDocument(yaml)
  const document = parseDocument(parts.before)
  for (const key of providers)
    if (composed.has(key) && !document.has(key) && !isOfBrowser(key))
      document.set(key, composed.get(key, true))
  append(document, ['channels'], composed.getIn(['channels', 0], true))
  const made = `${parts.file} has the channel ${answers.name} now; a running serve reads it by itself.`
  return { yaml: textOf(document, parts.before), variables, made }
}

async function setService(
  parts: AdditionParts,
  { config: { monitor, webhook, server }, isOfBrowser }: CurrentConfig,
): Promise<AdditionResult | undefined> {
  if (isOfBrowser('monitor')) {
    throw new CommandFailure(
      'the monitoring service was set in the console; change it there, under Settings',
      2,
    )
  }
  const current: Answers = { service: monitor?.baseUrl ?? '', publicUrl: webhook.publicUrl ?? '' }
  const remaining = questions
    .filter(({ id }) => ['service', 'serviceKey', 'tier', 'publicUrl'].includes(id))
    .filter(({ id }) => id !== 'publicUrl' || !isOfBrowser(id))
    .map((question) => {
      const suggested = current[question.id]
      return suggested === undefined ? question : { ...question, fallback: () => suggested }
    })
  const answers = await answersTo(parts, { asked: remaining, preset: { port: String(server.port) } })
  if (answered(answers, 'service') === undefined) return undefined
  const document = parseDocument(parts.before)
  // Only the key of this service is replaced in .env. One in the environment, which wins, gets no other value there.
  const [, ours = ''] = /^\$\{(\w+)/.exec(String(document.getIn(['monitor', 'apiKey']))) ?? []
  const { [ours]: _replaced, ...others } = parts.variables
  const { yaml, variables } = compose(answers, others, process.env)
  const composed = parseDocument(yaml)
  for (const path of ['monitor.baseUrl', 'monitor.apiKey', 'monitor.tier', 'webhook.publicUrl'].map((key) =>
    key.split('.'),
  ))
    if (composed.hasIn(path)) document.setIn(path, composed.getIn(path))
  document.deleteIn(['monitor', 'oauth'])
  if (answers.publicUrl === '' && document.hasIn(['webhook', 'publicUrl'])) {
    document.deleteIn(['webhook', 'publicUrl'])
    const webhook = document.get('webhook')
    if (isMap(webhook) && webhook.items.length === 0) document.delete('webhook')
  }
  const made = `${parts.file} has the monitoring service now; a running serve reads it by itself.`
  return { yaml: textOf(document, parts.before), variables, made }
}

const providers = ['slack', 'discord', 'email'] as const
const roles = ['reader', 'editor', 'admin'] as const

async function addAccount(
  { file, before, person }: AdditionParts,
  { config: { console }, isOfBrowser }: CurrentConfig,
): Promise<AdditionResult> {
  if (isOfBrowser('users')) {
    const why = `the accounts were made in the console, and one in ${file} would replace them all`
    const add =
      console === undefined
        ? `Write "console: {}" into ${file}, which turns the console on; then add it there`
        : 'Add it there'
    const advice = 'under Settings, People; console-user reset NAME gives somebody a new password'
    throw new CommandFailure(`${why}. ${add}, ${advice}`, 2)
  }
  if (person === undefined)
    throw new CommandFailure('without a terminal, console-user makes what stands under console.users', 2)
  const name = await person.text('Name to sign in with, such as ana:', undefined)
  const choices = roles.map((value) => ({ value, name: value }))
  const hasAdmin = console?.users?.some(({ role }) => role === 'admin') === true
  const suggested = hasAdmin ? 'reader' : 'admin'
  const chosen = await person.choice('What may they do?', choices, suggested)
  // Until there is an account, everybody at this machine is an admin.
  if (chosen !== 'admin' && !hasSignIn(console ?? {}))
    throw new CommandFailure('the first account must be that of an admin; nothing was written', 2)
  const account = await makeAccount(name, roles.find((role) => role === chosen) ?? suggested)
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
