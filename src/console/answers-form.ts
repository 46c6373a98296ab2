import type { CheckRow } from '../channels/channel.ts'
import { appManifest } from '../channels/slack/manifest.ts'
import type { ConfigSection } from '../config/browser-config.ts'
import { type AnswerId, type Answers, channelSetup, type SetupQuestion } from '../config/setup/answers.ts'
import { flawOf, freeName } from '../config/setup/config-from-answers.ts'
import { questionOf, questions } from '../config/setup/questions.ts'
import { sentenceOf } from './accounts.ts'
import { selectField, textField, tickField } from './form-parts.ts'
import { type Html, html } from './html.ts'
import type { ConfigEditing } from './parts.ts'
import { wordsAt } from './schema-fields.ts'
import type { SetupStep } from './setup-trials.ts'

export type AnswerErrors = Partial<Record<AnswerId | '', string | undefined>>

/** What is there already and stays if its field is left empty. */
export interface KnownAnswers {
  answers: Answers
  /** These stand in the configuration file, so nobody is asked for them. */
  inFile: ReadonlySet<AnswerId>
}

const ofService: readonly AnswerId[] = ['service', 'serviceKey', 'tier']
/** Asked by `init` alone: a channel for trouble is one more channel here. */
const notHere: readonly AnswerId[] = ['channel', 'operators', 'operatorsWebhook', 'port']
/** What has a good default is folded away. */
const folded: readonly AnswerId[] = [
  'name',
  'timeZone',
  'language',
  'slackApi',
  'discordApi',
  'webhookPrivate',
]
/** The secret that is for one address alone. */
const secretOf: Partial<Record<AnswerId, AnswerId>> = {
  service: 'serviceKey',
  slackApi: 'slackToken',
  discordApi: 'discordToken',
  smtpServer: 'smtpPassword',
}

/** What somebody is asked in a step, in order. */
function questionsOf(step: SetupStep, answers: Answers, { inFile }: KnownAnswers): SetupQuestion[] {
  if (step === 'address') return [questionOf('publicUrl')]
  if (step === 'service') return ofService.map(questionOf)
  const withUser = { ...answers, smtpUser: 'any' }
  return questions.filter(
    ({ id, applies }) =>
      ![...notHere, ...ofService, 'publicUrl'].includes(id) &&
      !inFile.has(id) &&
      (applies?.(withUser) ?? true),
  )
}

/** What was typed, with what is known for secrets that were left empty, and what is suggested for the rest. */
export function answersFrom(
  step: SetupStep,
  fields: Record<string, unknown>,
  { known, draft, channel }: { known: KnownAnswers; draft: Answers; channel?: string | undefined },
): Answers {
  let answers: Answers = { ...known.answers, ...(channel !== undefined && { channel }) }
  for (const { id, type, fallback } of questionsOf(step, answers, known)) {
    const field = type === 'truth' ? fields[id] === 'yes' && 'true' : fields[id]
    const typed = typeof field === 'string' ? field.trim() : ''
    const kept = type === 'secret' ? (draft[id] ?? keptSecret(id, answers, known)) : undefined
    answers = { ...answers, [id]: typed === '' ? (kept ?? fallback?.(answers) ?? '') : typed }
  }
  return { service: '', publicUrl: '', operators: '', operatorsWebhook: '', port: '8080', ...answers }
}

/** A secret stays for the address that it was given for, and for no other. */
function keptSecret(id: AnswerId, answers: Answers, known: KnownAnswers): string | undefined {
  const isSame = Object.entries(secretOf).every(
    ([address, secret]) =>
      secret !== id || (known.answers[address as AnswerId] ?? '') === (answers[address as AnswerId] ?? ''),
  )
  return isSame ? known.answers[id] : undefined
}

/** What is wrong with answers as they are written, by the rules of the configuration. */
export function flawsOf(step: SetupStep, answers: Answers, known: KnownAnswers): AnswerErrors {
  const errors: AnswerErrors = {}
  for (const { id, type } of questionsOf(step, answers, known)) {
    if (id === 'smtpPassword' && answers.smtpUser === '') continue
    const flaw = flawOf(id, answers)
    if (flaw === undefined) continue
    const isKept = type === 'secret' && answers[id] === '' && known.answers[id] !== undefined
    errors[id] = isKept
      ? 'The address is another one, which asks for its secret again.'
      : `That ${flaw}${flaw.endsWith('.') ? '' : '.'}`
  }
  return errors
}

interface AnswerFields {
  step: SetupStep
  answers: Answers
  known: KnownAnswers
  /** Secrets that were typed before and are kept for a while. */
  draft: Answers
  errors: AnswerErrors
}

export function answerFields(shown: AnswerFields): Html {
  const all = questionsOf(shown.step, shown.answers, shown.known)
  const isFolded = ({ id }: SetupQuestion) => folded.includes(id)
  const rest = all.filter(isFolded)
  const isOpen = rest.some(({ id }) => shown.errors[id] !== undefined)
  return html`${all.filter((question) => !isFolded(question)).map((question) => fieldOf(question, shown))}
${rest.length > 0 && html`<details${isOpen && html` open`}><summary>Name, time zone and more</summary><div class="fields">${rest.map((question) => fieldOf(question, shown))}</div></details>`}`
}

/** What a label with its steps leaves open. */
const helps: Partial<Record<AnswerId, string>> = {
  slackChannel: 'Its name with the #, or its id.',
  language: 'The language of the alerts.',
  mailFrom: 'Such as desk@example.org or "Desk <desk@example.org>".',
  webhookSecret: 'Leave it empty to make one.',
  publicUrl: 'Such as https://alerts.desk.example.',
}

/** The field of one question. */
export function answerField(id: AnswerId, shown: Omit<AnswerFields, 'step'>): Html {
  return fieldOf(questionOf(id), shown)
}

/** As the question is asked, or as the settings call its key. */
function wordsOf(
  { id, type, ask, key, summary, fallback }: SetupQuestion,
  answers: Answers,
): { label: string; help: string | undefined } {
  const path = (key ?? '').split(/[.[\]]+/).filter((part) => !/^\d*$/.test(part))
  const { title, description } = key === undefined ? {} : wordsAt(path, channelSetup(answers)?.split('-')[0])
  const label = ask?.replace(/:$/, '').replace(/ \((?:empty|https).*\)$/, '') ?? title ?? id
  if (type === 'truth') return { label, help: sentenceOf(description ?? summary) }
  const isOptional = id === 'name' || (id !== 'service' && fallback?.(answers) === '')
  // What has a question of its own is explained by it.
  const help = helps[id] ?? (ask === undefined ? sentenceOf(summary) : undefined)
  return { label: isOptional ? `${label} (optional)` : label, help }
}

function fieldOf(
  question: SetupQuestion,
  { answers, known, draft, errors }: Omit<AnswerFields, 'step'>,
): Html {
  const { id, type, choices = [], fallback } = question
  const isSet =
    type === 'secret' && errors[id] === undefined && (draft[id] ?? known.answers[id]) !== undefined
  const words = wordsOf(question, answers)
  const help = isSet ? 'It is set. Leave it empty to keep it.' : words.help
  const field = { name: id, label: words.label, help, error: errors[id] }
  // A name is found for it that no channel has.
  const value = answers[id] ?? (id === 'name' ? '' : fallback?.(answers))
  return html`${stepsOf(question)}${control()}`

  function control(): Html {
    if (type === 'truth') return tickField({ ...field, isTicked: value === 'true' || value === 'yes' })
    if (type !== 'choice')
      return textField({ ...field, value, type: type === 'secret' ? 'password' : 'text' })
    const options = Object.fromEntries(choices.map((choice) => [choice.value, choice.name]))
    return selectField({ ...field, options, ...(value !== undefined && { value }) })
  }
}

/** A hint, as numbered steps. */
function stepsOf({ id, steps, hint }: SetupQuestion): Html | false {
  const all = steps ?? hint?.split(/\n|; /) ?? []
  if (all.length === 0) return false
  const manifest = id === 'slackToken' && JSON.stringify(appManifest('bluepencil'), null, 2)
  return html`<ol class="text">${all.map((step) => html`<li>${withLinks(sentenceOf(step))}</li>`)}</ol>
${manifest !== false && html`<details><summary>The app, to be pasted</summary><pre tabindex="0" role="region" aria-label="The app manifest">${manifest}</pre></details>`}`
}

function withLinks(text: string): Html[] {
  return text
    .split(/(https:\/\/[\w./-]+\w)/)
    .map((part, index) =>
      index % 2 === 0 ? html`${part}` : html`<a href="${part}" rel="noreferrer">${part}</a>`,
    )
}

/** What a trial found, as `check` says it. */
export function findingsOf(findings: readonly CheckRow[]): Html {
  const badge = { ok: 'sent', warn: 'waiting', fail: 'failed' }
  return html`<ul class="rows">${findings.map(
    ({ level, what, text, hint }) =>
      html`<li><span class="badge ${badge[level]}">${level === 'ok' ? 'ok' : level === 'warn' ? 'in doubt' : 'failed'}</span> <strong>${what}</strong>: ${text}${hint !== undefined && html`<br><span class="meta">${hint}</span>`}</li>`,
  )}</ul>`
}

/** What the configuration in force answers already. */
export function knownAnswers(editing: Pick<ConfigEditing, 'section'>): KnownAnswers {
  const answers: Answers = {}
  const inFile = new Set<AnswerId>()
  for (const [name, read] of Object.entries(answersIn)) {
    const { value, from } = editing.section(name as ConfigSection)
    const values = read(typeof value === 'object' && value !== null ? { ...value } : { value })
    for (const [id, answer] of Object.entries(values)) {
      // A section of the file stands alone: nobody adds an address to a secret that is in it.
      if (from === 'file') inFile.add(id as AnswerId)
      if (typeof answer === 'string' || typeof answer === 'number') answers[id as AnswerId] = String(answer)
    }
  }
  return { answers, inFile }
}

const answersIn: Partial<
  Record<ConfigSection, (value: Record<string, unknown>) => Partial<Record<AnswerId, unknown>>>
> = {
  monitor: ({ baseUrl, apiKey, tier }) => ({ service: baseUrl, serviceKey: apiKey, tier }),
  publicUrl: ({ value }) => ({ publicUrl: value }),
  slack: ({ token, apiUrl }) => ({ slackToken: token, slackApi: apiUrl }),
  discord: ({ token, apiUrl }) => ({ discordToken: token, discordApi: apiUrl }),
  email: ({ smtp, from }) => ({
    smtpServer: undefined,
    smtpUser: undefined,
    smtpPassword: undefined,
    ...smtpAnswers(smtp),
    mailFrom: from,
  }),
}

/** A mail server's address, in its parts. */
export function smtpAnswers(smtp: unknown): Answers {
  const url = typeof smtp === 'string' ? URL.parse(smtp) : null
  if (url === null) return {}
  const port = url.port === '' ? (url.protocol === 'smtps:' ? '465' : '587') : url.port
  return {
    smtpServer: `${url.hostname}:${port}`,
    smtpUser: decodeURIComponent(url.username),
    ...(url.password !== '' && { smtpPassword: decodeURIComponent(url.password) }),
  }
}

/** A name that no channel has yet. */
export function nameFor(answers: Answers, taken: readonly string[]): string {
  const [, inSlack] = /^#([a-z0-9][a-z0-9-]{0,58})$/.exec(answers.slackChannel ?? '') ?? []
  const [kind = 'ai-desk'] = channelSetup(answers)?.split('-') ?? []
  const first = inSlack ?? (kind === 'email' ? 'mail' : kind)
  return freeName(first, '-', (name) => !taken.includes(name))
}
