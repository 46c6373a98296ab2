import type { CheckRow } from '../../channels/channel.ts'
import type { ConfigSection } from '../../config/browser-config.ts'
import { isSecretAt } from '../../config/raw-secrets.ts'
import {
  type AnswerId,
  type Answers,
  channelSetup,
  type SetupQuestion,
  setupOf,
} from '../../config/setup/answers.ts'
import { composeTyped } from '../../config/setup/config-from-answers.ts'
import { questionOf, questions } from '../../config/setup/questions.ts'
import type { ConfigChanged } from '../../people/converse/settings.ts'
import { span } from '../../platform/text.ts'
import { whyUnchanged } from '../accounts.ts'
import {
  type AnswerErrors,
  answerFields,
  answersFrom,
  findingsOf,
  flawsOf,
  type KnownAnswers,
  knownAnswers,
  nameFor,
} from '../answers-form.ts'
import { buttonRow, errorSummary } from '../form-parts.ts'
import { type Html, html } from '../html.ts'
import { formFields } from '../page-parts.ts'
import type { ConfigPart, ConsoleParts } from '../parts.ts'
import type { ActionRequest, ConsoleReply, PageContext, PageRequest } from '../reply.ts'
import { whyWrong } from '../settings-trials.ts'
import type { SetupStep, SetupTrialResult } from '../setup-trials.ts'
import { refusedHere, setupSteps, textsIn } from './setup.ts'

interface StepState {
  step: SetupStep
  answers: Answers
  known: KnownAnswers
  errors: AnswerErrors
  /** What came of the trial, if something was tried. */
  tried?: SetupTrialResult
}

const titles: Record<SetupStep, string> = {
  channel: 'Where alerts go',
  service: 'The monitoring service',
  address: 'Our own address',
}
const numbers = { channel: 1, service: 2, address: 3 } as const

export const setupStepNames: readonly SetupStep[] = ['channel', 'service', 'address']

/** The form of a step: as it is known, or as somebody has left it. */
export function showStep(step: SetupStep) {
  return async (request: PageRequest, parts: ConsoleParts): Promise<ConsoleReply> => {
    const refusal = refusedHere(parts)
    if (refusal !== undefined) return refusal
    const before = knownAnswers(parts.configEditing)
    const { kind } = request.query
    const draft = request.draft.read()
    const channel = typeof kind === 'string' ? kind : draft.channel
    const way = step === 'channel' ? channelSetup({ ...(channel !== undefined && { channel }) }) : undefined
    if (step === 'channel' && (way === undefined || kind === undefined)) return kindsPage(request, parts)
    const typed = step !== 'channel' || draft.channel === way ? draft : {}
    const answers = { ...before.answers, ...typed, ...(way !== undefined && { channel: way }) }
    return stepPage(request, parts, { step, answers, known: before, errors: {} })
  }
}

/** Tries the answers of a step; what works is saved. */
export function takeStep(step: SetupStep) {
  return async (request: ActionRequest, parts: ConsoleParts): Promise<ConsoleReply> => {
    const refusal = refusedHere(parts)
    if (refusal !== undefined) return refusal
    const before = knownAnswers(parts.configEditing)
    const fields = textsIn(request.fields)
    const channel = step === 'channel' ? channelSetup(fields) : undefined
    if (step === 'channel' && channel === undefined) return kindsPage(request, parts)
    const draft = draftFrom(request, fields)
    let answers = answersFrom(step, fields, { known: before, draft, channel })
    const taken = parts.configEditing.channels().map(({ name }) => name)
    if (step === 'channel' && (fields.name ?? '').trim() === '')
      answers = { ...answers, name: nameFor(answers, taken) }
    const errors = flawsOf(step, answers, before)
    if (step === 'channel' && taken.includes(answers.name ?? ''))
      errors.name = 'That is the name of another channel.'
    if (step === 'address' && answers.service === '')
      errors.publicUrl = 'First name the service: it is the one that uses this address.'
    const show = (more: Partial<StepState>) =>
      stepPage(request, parts, { step, answers, known: before, errors: {}, ...more })
    const reject = (
      more: Pick<StepState, 'errors'> & Partial<StepState>,
      wrong = Object.keys(more.errors),
    ) => {
      request.draft.keep(
        draft,
        wrong.filter((id) => isOfType('secret', id)),
      )
      return show(more)
    }
    if (Object.keys(errors).length > 0) return reject({ errors })
    const isUntried = fields.do === 'save' || (step === 'address' && answers.publicUrl === '')
    const tried = isUntried ? undefined : await parts.tryAnswers(step, answers, request.by.name)
    if (tried?.wrong !== undefined) return reject({ errors: wrongOf(tried), tried }, tried.wrong)
    const why = await saveStep(step, answers, { request, parts })
    if (why !== undefined) return reject({ errors: why, ...(tried && { tried }) }, [])
    request.draft.drop()
    const secret =
      (fields.webhookSecret ?? '') === '' && channel === 'webhook' ? answers.webhookSecret : undefined
    return donePage(request, parts, { step, answers, tried, secret })
  }
}

/** Only what was typed: a secret that is kept for its address must not get to another by this way. */
function draftFrom({ draft }: ActionRequest, fields: Record<string, string>): Answers {
  const { token: _token, key: _key, do: pressed, ...typed } = fields
  const before = pressed === 'save' ? draft.readAll() : draft.read()
  const now = Object.fromEntries(Object.entries(typed).filter(([, value]) => value.trim() !== ''))
  // A box that is not ticked sends nothing.
  const kept = Object.entries(before).filter(([field]) => !isOfType('truth', field))
  return { ...(before.channel === fields.channel && Object.fromEntries(kept)), ...now }
}

function isOfType(wanted: SetupQuestion['type'], field: string): boolean {
  return questions.some(({ id, type }) => id === field && type === wanted)
}

function wrongOf(tried: SetupTrialResult): AnswerErrors {
  const [first = ''] = tried.wrong ?? []
  return { [first]: whyWrong(tried) }
}

interface Saving {
  request: ActionRequest
  parts: ConsoleParts
}

/** Saves what a step has made, as one act; answers why it was not saved, by field. */
async function saveStep(
  step: SetupStep,
  answers: Answers,
  { request, parts }: Saving,
): Promise<AnswerErrors | undefined> {
  const { configEditing: editing } = parts
  const { by, key } = request
  const put = (changes: { part: ConfigPart; becomes: unknown }[]) =>
    editing.changeAll({ by, key }, changes, editing.revision())
  // Secrets that were not typed are kept by the editing, for the same address alone.
  const before = (name: ConfigSection) => {
    const value: Record<string, unknown> = { ...Object(editing.section(name).value) }
    return Object.fromEntries(Object.entries(value).filter(([key]) => !isSecretAt(key, value)))
  }
  if (step === 'address') {
    const becomes = answers.publicUrl === '' ? undefined : answers.publicUrl
    return problemOf(await put([{ part: { section: 'publicUrl' }, becomes }]), 'publicUrl')
  }
  const typed = composeTyped(answers)
  if (step === 'service') {
    const { oauth: _oauth, ...rest }: Record<string, unknown> = before('monitor')
    const becomes = { ...rest, ...typed.monitor }
    return problemOf(await put([{ part: { section: 'monitor' }, becomes }]), 'service')
  }
  const accounts = (['slack', 'discord', 'email'] as const).flatMap((section) =>
    typed[section] === undefined || editing.section(section).from === 'file'
      ? []
      : [{ part: { section }, becomes: { ...before(section), ...typed[section] } }],
  )
  const [channel] = typed.channels
  const added = { part: { channel: channel.name, add: true }, becomes: channel }
  // The first channel is notified of trouble until somebody says otherwise.
  const isFirst = editing.section('operators').from === 'nowhere'
  const operators = { part: { section: 'operators' as const }, becomes: [channel.name] }
  const way = channelSetup(answers)
  const changed = await put([...accounts, added, ...(isFirst ? [operators] : [])])
  const problem = problemOf(changed, way === undefined ? '' : setupOf(way).answer)
  if (problem === undefined) await parts.sendings.test({ by, key }, channel.name)
  return problem
}

function problemOf(changed: ConfigChanged, field: AnswerId | ''): AnswerErrors | undefined {
  const why = whyUnchanged(changed)
  return why === undefined ? undefined : { [field]: why }
}

function kindsPage({ context }: PageRequest, parts: ConsoleParts): ConsoleReply {
  const channels = parts.configEditing.channels()
  const { choices = [] } = questionOf('channel')
  return {
    page: {
      title: titles.channel,
      body: html`${setupSteps(1, context, parts)}
<h1>${titles.channel}</h1>
<p class="text">Choose a kind. A test alert is sent before anything is saved.</p>
<ul class="rows">${choices.map(
        ({ value, name }) => html`<li><a href="${context.base}/setup/channel?kind=${value}">${name}</a></li>`,
      )}</ul>
${channels.length > 0 && html`<p class="meta">There ${channels.length === 1 ? 'is' : 'are'} already: ${channels.map(({ name }) => name).join(', ')}.</p>`}
${later(context, '/setup/service')}`,
    },
  }
}

function later({ base }: PageContext, path: string): Html {
  return html`<p><a href="${base}${path}">Do this later</a></p>`
}

const following = { channel: '/setup/service', service: '/setup/address', address: '/' } as const

function stepPage({ context, draft }: PageRequest, parts: ConsoleParts, state: StepState): ConsoleReply {
  const { step, answers, errors, tried } = state
  const isWrong = Object.keys(errors).length > 0
  const buttons = [
    { label: step === 'channel' ? 'Send a test and save' : 'Try and save' },
    ...(tried?.canStay === true
      ? [{ label: 'Save all the same', name: 'do', value: 'save', look: 'quiet' as const }]
      : []),
  ]
  const way = channelSetup(answers)
  const kind = questionOf('channel').choices?.find(({ value }) => value === way)?.name
  return {
    page: {
      title: titles[step],
      ...(isWrong && { status: 422 }),
      body: html`${setupSteps(numbers[step], context, parts)}
<h1>${titles[step]}</h1>
${step === 'channel' && html`<p class="text">${kind}<br><a href="${context.base}/setup/channel">Another kind</a></p>`}
${step === 'address' && html`<p class="text">${addressHelp(parts)}</p>`}
${errorSummary(errors)}
<form class="form" method="post" action="${context.base}/setup/${step}">
${formFields(context)}${step === 'channel' && html`<input type="hidden" name="channel" value="${way ?? ''}">`}
${answerFields({ ...state, draft: draft.read() })}
${buttonRow(buttons)}
</form>
${later(context, following[step])}`,
    },
  }
}

function addressHelp({ pollsEveryMs, config }: ConsoleParts): string {
  const minutes = Math.round((pollsEveryMs() ?? 0) / 60_000)
  const without =
    minutes > 0
      ? `Otherwise leave it empty: we read the published figures every ${minutes === 1 ? 'minute' : span(minutes)}.`
      : ''
  return `If the service can reach this machine, alerts come at once. Its proxy must lead to port ${config().server.port}. ${without}`
}

interface DoneStep {
  step: SetupStep
  answers: Answers
  tried: SetupTrialResult | undefined
  /** A signing secret that was made here, for the receiver. */
  secret: string | undefined
}

const doneTitles: Record<SetupStep, string> = {
  channel: 'The channel is saved',
  service: 'The service is saved',
  address: 'Our address is saved',
}
const nextLabels: Record<SetupStep, string> = {
  channel: 'Next: the service',
  service: 'Next: our own address',
  address: 'To the overview',
}

/** What is not already said by the page: all that is in doubt, and of the rest the first. */
function newsIn(findings: readonly CheckRow[], step: SetupStep): CheckRow[] {
  const mostFine = step === 'channel' ? 0 : 1
  const fine = findings.filter(({ level }) => level === 'ok').slice(0, mostFine)
  return findings.filter((row) => row.level !== 'ok' || fine.includes(row))
}

function donePage(
  { context }: PageRequest,
  parts: ConsoleParts,
  { step, answers, tried, secret }: DoneStep,
): ConsoleReply {
  const isPolling = step === 'address' && answers.publicUrl === ''
  return {
    page: {
      title: doneTitles[step],
      body: html`${setupSteps(numbers[step], context, parts)}
<h1>${isPolling ? 'We read the published figures' : doneTitles[step]}</h1>
${isPolling && html`<p class="text">${addressHelp(parts)}</p>`}
${tried !== undefined && findingsOf(newsIn(tried.findings, step))}
${step === 'channel' && tried !== undefined && html`<p class="text">A test alert was sent to ${answers.name ?? ''}. Look there.</p>`}
${secret !== undefined && html`<p class="text">The receiver verifies with this secret. It is shown this once.</p><pre tabindex="0" role="region" aria-label="The signing secret">${secret}</pre>`}
<p class="row"><a class="button" href="${context.base}${following[step]}">${nextLabels[step]}</a>
${step === 'channel' && html`<a class="button quiet" href="${context.base}/setup/channel">Add another channel</a>`}</p>`,
    },
  }
}
