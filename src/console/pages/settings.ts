import type { ConfigSection } from '../../config/browser-config.ts'
import { type AnswerId, type Answers, answered } from '../../config/setup/answers.ts'
import { smtpUrl, whyNoServer } from '../../config/setup/config-from-answers.ts'
import { meanwhile, sentenceOf } from '../accounts.ts'
import { answerField, smtpAnswers } from '../answers-form.ts'
import { buttonRow, choicesField, errorSummary, fieldGroup } from '../form-parts.ts'
import { type Html, html } from '../html.ts'
import { formFields } from '../page-parts.ts'
import type { ConsoleParts } from '../parts.ts'
import type { ActionRequest, ConsoleReply, PageRequest } from '../reply.ts'
import { type SchemaField, schemaFields, valueField } from '../schema-fields.ts'
import { errorsAt, type FormProblem, schemaForm, valueFrom } from '../schema-form.ts'
import {
  accountTrial,
  addressTrial,
  keepRefusedSecrets,
  saveUntried,
  serviceTrial,
  trialErrors,
  withRefusedSecrets,
} from '../settings-trials.ts'
import { openList, refusedHere, textsIn } from './setup.ts'

interface SettingsPage {
  section: ConfigSection
  title: string
  /** What it is for, in a sentence or two. */
  about: string
  fields(): SchemaField[]
}

/** What is set in the browser beside channels and people, by the end of its address. */
const settingsPages = {
  service: {
    section: 'monitor',
    title: 'The monitoring service',
    about: 'Where alerts come from. A changed address asks for its key again.',
    fields: () => schemaFields(['monitor']),
  },
  address: {
    section: 'publicUrl',
    title: 'Our own address',
    about: 'Under this address the service reaches us. Without it, we read the published figures.',
    fields: () => [valueField(['webhook', 'publicUrl'])],
  },
  slack: {
    section: 'slack',
    title: 'The Slack app',
    about: 'For channels that a bot writes to. Incoming webhooks need none of it.',
    fields: () => schemaFields(['slack']),
  },
  discord: {
    section: 'discord',
    title: 'The Discord bot',
    about: 'For channels that a bot writes to. Webhooks need none of it.',
    fields: () => schemaFields(['discord']),
  },
  email: {
    section: 'email',
    title: 'The mail server',
    about: 'All e-mail channels send through it. Another server asks for its password again.',
    fields: () => schemaFields(['email'], { without: ['smtp'] }),
  },
  operators: {
    section: 'operators',
    title: 'Who is notified of trouble',
    about: 'Trouble is a full disk, a lost subscription or a channel that rejects messages.',
    fields: () => [],
  },
  retention: {
    section: 'retention',
    title: 'How long alerts are kept',
    about: 'Older ones are deleted for good.',
    fields: () => [valueField(['retention'])],
  },
} as const satisfies Record<string, SettingsPage>
export type SettingsName = keyof typeof settingsPages
export const settingsNames = Object.keys(settingsPages) as SettingsName[]

/** Where something is written, and whether it can be changed here. */
export function placeInWords({
  from,
  file = '',
  line,
}: {
  from: 'file' | 'browser' | 'nowhere'
  file?: string | undefined
  line?: number | undefined
}): string {
  if (from === 'nowhere') return 'not set'
  if (from === 'browser') return 'set here'
  return `in the file ${file}${line === undefined ? '' : `, line ${line}`}`
}

/** All that can be set, and the place of each. People who are no admins have their password alone. */
export async function showSettings(
  { context, isAdmin }: PageRequest,
  parts: ConsoleParts,
): Promise<ConsoleReply> {
  const { configEditing: editing } = parts
  const { base } = context
  const row = (path: string, title: string, where: string) =>
    html`<li><a href="${base}/settings/${path}">${title}</a> <span class="meta">${where}</span></li>`
  const refusal = editing.refusal()
  return {
    page: {
      title: 'Settings',
      body: html`<h1>Settings</h1>
${isAdmin && refusal !== undefined && html`<p class="caveat">${refusal}</p>`}
${isAdmin && openList(parts, context)}
<ul class="rows">
${
  isAdmin &&
  html`${row('channels', 'Channels', `${editing.channels().length} in all`)}
${row('people', 'People', placeInWords(editing.section('users')))}
${settingsNames.map((name) => row(name, settingsPages[name].title, placeInWords(editing.section(settingsPages[name].section))))}`
}
${row('password', 'Your password', '')}
</ul>`,
    },
  }
}

interface SectionForm {
  /** It was tried and does not work: it may be saved all the same. */
  didNotWork?: boolean
  typed?: Record<string, string>
  errors?: Record<string, string | undefined>
  status?: number
}

export function showSection(name: SettingsName) {
  return async (request: PageRequest, parts: ConsoleParts, form: SectionForm = {}): Promise<ConsoleReply> => {
    const { context } = request
    const { title, about, section }: SettingsPage = settingsPages[name]
    const { value, ...place } = parts.configEditing.section(section)
    const refusal = parts.configEditing.refusal()
    const isFixed = place.from === 'file' || refusal !== undefined
    const { typed, errors = {}, status = 200, didNotWork = false } = form
    return {
      page: {
        title,
        status,
        body: html`<h1>${title}</h1>
<p class="text">${about}</p>
${isFixed && html`<p class="caveat">${place.from === 'file' ? `It is ${placeInWords(place)}: change it there.` : refusal}</p>`}
${
  !isFixed &&
  html`${errorSummary(errors)}
<form class="form" method="post" action="${context.base}/settings/${name}">
${formFields(context)}<input type="hidden" name="revision" value="${parts.configEditing.revision()}">
${controlsOf(name, { value, typed, errors }, parts)}
${buttonRow([{ label: 'Save' }, ...(didNotWork ? [saveUntried] : []), ...(place.from === 'browser' && name !== 'operators' ? [{ label: 'Remove it', name: 'do', value: 'remove', look: 'danger' as const }] : [])], html`<a href="${context.base}/settings">Leave it as it is</a>`)}
</form>`
}`,
      },
    }
  }
}

function controlsOf(
  name: SettingsName,
  state: {
    value: unknown
    typed: Record<string, string> | undefined
    errors: Record<string, string | undefined>
  },
  { config }: Pick<ConsoleParts, 'config'>,
): Html[] {
  const { value, typed, errors } = state
  const fields = schemaForm(settingsPages[name].fields(), state)
  if (name === 'operators') {
    const options = Object.fromEntries(config().channels.map((channel) => [channel.name, channel.name]))
    const chosen = typed?.operators?.split(',') ?? (Array.isArray(value) ? value.map(String) : [])
    const field = {
      name: 'operators',
      label: 'Channels',
      help: 'None ticked: only the log and this console say it.',
    }
    return [choicesField({ ...field, error: errors.operators, options, chosen })]
  }
  if (name !== 'email') return fields
  const saved = smtpAnswers(Object(value).smtp)
  const answers = { channel: 'email', ...saved, ...typed }
  const shown = { answers, known: { answers: saved, inFile: new Set<AnswerId>() }, draft: {}, errors }
  return [
    fieldGroup(
      'Server',
      smtpIds.map((id) => answerField(id, shown)),
    ),
    ...fields,
  ]
}

const smtpIds = ['smtpServer', 'smtpUser', 'smtpPassword'] as const

export function changeSection(name: SettingsName) {
  const show = showSection(name)
  return async (request: ActionRequest, parts: ConsoleParts): Promise<ConsoleReply> => {
    const refusal = refusedHere(parts)
    if (refusal !== undefined) return refusal
    const { section }: SettingsPage = settingsPages[name]
    const typed = withRefusedSecrets(textsIn(request.fields), request.draft)
    const reject = (errors: Record<string, string | undefined>, status = 422) =>
      show(request, parts, { typed, errors, status })
    const read = typed.do === 'remove' ? { becomes: undefined } : becomesOf(name, typed)
    if ('errors' in read) return reject(read.errors)
    const { configEditing: editing } = parts
    if (typed.do === undefined) {
      const errors = await trialErrors(trialOf(name, read.becomes, parts), parts, request.by.name)
      if (errors !== undefined) {
        keepRefusedSecrets(typed, request.draft, settingsPages[name].fields())
        return show(request, parts, { typed, errors, status: 422, didNotWork: true })
      }
    }
    const revision = Number(typed.revision)
    const changed = await editing.change(request, { section }, read.becomes, revision)
    if (changed.result === 'outrun') return reject({ '': meanwhile }, 409)
    if (changed.result === 'refused') return reject({ '': changed.why }, 409)
    if (changed.result === 'invalid') return reject(errorsOf(name, changed.problems))
    request.draft.drop()
    return { to: '/settings?done=saved' }
  }
}

/** What of it can be tried. */
function trialOf(name: SettingsName, becomes: unknown, parts: ConsoleParts) {
  if (name === 'service') return serviceTrial(becomes, parts)
  if (name === 'address') return addressTrial(becomes, parts)
  if (name === 'operators' || name === 'retention') return undefined
  return accountTrial(name, becomes, parts)
}

function becomesOf(
  name: SettingsName,
  typed: Record<string, string>,
): { becomes: unknown } | { errors: Record<string, string> } {
  if (name === 'operators') return { becomes: (typed.operators ?? '').split(',').filter((one) => one !== '') }
  const fields = settingsPages[name].fields()
  const { value, problems } = valueFrom(fields, typed)
  if (name === 'address' || name === 'retention') return { becomes: value[''] }
  const errors = errorsAt(fields, problems)
  if (name === 'email') {
    const answers: Answers = {
      smtpServer: typed.smtpServer?.trim(),
      smtpUser: typed.smtpUser?.trim() ?? '',
      smtpPassword: typed.smtpPassword,
    } as Answers
    const flaw = whyNoServer(answered(answers, 'smtpServer') ?? '')
    if (flaw !== undefined) errors.smtpServer = sentenceOf(`that ${flaw}`)
    else value.smtp = smtpUrl(answers)
  }
  return Object.keys(errors).length > 0 ? { errors } : { becomes: value }
}

function errorsOf(name: SettingsName, problems: readonly FormProblem[]): Record<string, string> {
  const fields = settingsPages[name].fields()
  const isSmtp = ({ path }: FormProblem) => path[0] === 'smtp'
  const errors = errorsAt(
    fields,
    problems.filter((problem) => !isSmtp(problem)),
  )
  const smtp = problems.find(isSmtp)
  if (smtp !== undefined) {
    const field = smtp.path[1] === 'password' ? 'smtpPassword' : 'smtpServer'
    errors[field] = sentenceOf(`that ${smtp.message}`)
  }
  const { '': whole, ...others } = errors
  return name === 'operators' && whole !== undefined ? { ...others, operators: whole } : errors
}
