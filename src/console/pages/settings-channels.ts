import { stringify } from 'yaml'
import { channelKinds } from '../../channels/registry.ts'
import type { RawChannel } from '../../config/browser-config.ts'
import { maskedRaw } from '../../config/raw-secrets.ts'
import { longestSilenceMs } from '../../people/converse/silences.ts'
import { counted } from '../../platform/text.ts'
import { meanwhile } from '../accounts.ts'
import { filtersInWords } from '../filters-in-words.ts'
import { buttonRow, errorSummary } from '../form-parts.ts'
import { type Html, html } from '../html.ts'
import { buttonForm, formFields, timeOf } from '../page-parts.ts'
import type { ConsoleParts } from '../parts.ts'
import {
  type ActionRequest,
  type ConsoleReply,
  noSuchChannel,
  type PageContext,
  type PageRequest,
} from '../reply.ts'
import { schemaFields } from '../schema-fields.ts'
import { errorsAt, schemaForm, valueFrom } from '../schema-form.ts'
import {
  channelTrial,
  keepRefusedSecrets,
  saveUntried,
  trialErrors,
  untried,
  withRefusedSecrets,
} from '../settings-trials.ts'
import { placeInWords } from './settings.ts'
import { refusedHere, textsIn } from './setup.ts'

const unchangeable = ['name', 'type', 'fixed']
/** What has a page of its own, which shows no channel that is not in use. */
const filters = ['models', 'events', 'categories', 'minDelta', 'direction', 'quiet', 'digest']

type PausedUntil = { id: string; until: string } | undefined

/** A pause is a silence of the whole channel: nothing that comes in meanwhile is lost. */
async function pauseOf(channel: string, { control }: Pick<ConsoleParts, 'control'>): Promise<PausedUntil> {
  const silences = await control.acts.silences()
  return silences.find(
    ({ scope }) => scope.channel === channel && scope.model === undefined && scope.category === undefined,
  )
}

export async function showChannelList({ context }: PageRequest, parts: ConsoleParts): Promise<ConsoleReply> {
  const { configEditing: editing, config } = parts
  const mayAdd = editing.refusal() === undefined
  const kinds = new Map(config().channels.map(({ name, type }) => [name, type]))
  const rows = await Promise.all(
    editing.channels().map(async (channel) => ({ ...channel, pause: await pauseOf(channel.name, parts) })),
  )
  return {
    page: {
      title: 'Channels',
      body: html`<h1>Channels</h1>
<p class="text">A channel belongs to one place. Those of the file are changed in the file.</p>
${rows.length === 0 && html`<p class="none">There is no channel yet.</p>`}
<ul class="rows">${rows.map(
        ({ name, pause, ...place }) =>
          html`<li><a href="${context.base}/settings/channels/${name}">${name}</a> <span class="meta">${kinds.get(name) ?? ''}, ${placeInWords(place)}</span>${pause !== undefined && html` <span class="badge held">paused</span>`}</li>`,
      )}</ul>
${mayAdd && html`<p><a class="button" href="${context.base}/setup/channel">Add a channel</a></p>`}`,
    },
  }
}

interface ChannelForm {
  /** It was tried and does not work: it may be saved all the same. */
  didNotWork?: boolean
  typed?: Record<string, string>
  errors?: Record<string, string | undefined>
  status?: number
}

/** It may be of a newer version. */
function whyNotEdited(value: Record<string, unknown>): string | undefined {
  return Object.hasOwn(channelKinds, String(value.type))
    ? undefined
    : 'This version has no such kind of channel. It can only be removed here.'
}

/** What the form of a channel leaves as it is. */
function elsewhere(name: string, { config }: Pick<ConsoleParts, 'config'>): string[] {
  const isInUse = config().channels.some((channel) => channel.name === name)
  return isInUse ? [...unchangeable, ...filters] : unchangeable
}

function fieldsOf(channel: RawChannel, parts: Pick<ConsoleParts, 'config'>) {
  return schemaFields(['channels'], { type: String(channel.type), without: elsewhere(channel.name, parts) })
}

export async function showChannel(
  request: PageRequest,
  parts: ConsoleParts,
  form: ChannelForm = {},
): Promise<ConsoleReply> {
  const { context, parameters } = request
  const { name = '' } = parameters
  const channel = parts.configEditing.channel(name)
  if (channel === undefined) return noSuchChannel
  const { typed, errors = {}, status = 200, didNotWork = false } = form
  const { value } = channel
  const settings = parts.config().channels.find((one) => one.name === name)
  const refusal =
    channel.from === 'file'
      ? `It is ${placeInWords(channel)}: change it there.`
      : (parts.configEditing.refusal() ?? whyNotEdited(value))
  const pause = await pauseOf(name, parts)
  return {
    page: {
      title: name,
      status,
      body: html`<h1>${name}</h1>
${settings !== undefined && html`<p class="text">${filtersInWords(settings)} <a href="${context.base}/channels/${name}/filters">Change what it gets, and when</a></p>`}
${pause !== undefined && pauseIn(name, pause, context)}
<div class="row">${buttonForm(context, { action: `/channels/${name}/test`, label: 'Send a test', about: `to ${name}` })}
${pause === undefined && buttonForm(context, { action: `/settings/channels/${name}/pause`, label: 'Pause', about: name })}
${channel.from === 'browser' && html`<a class="button quiet" href="${context.base}/settings/channels/${name}/remove">Remove …</a>`}</div>
${settings === undefined && html`<p class="caveat">${name} is not in use, because something in it is wrong. Correct it, or remove it.</p>`}
${refusal !== undefined && html`<p class="caveat">${refusal}</p>`}
${
  refusal === undefined
    ? html`${errorSummary(errors)}
<form class="form" method="post" action="${context.base}/settings/channels/${name}">
${formFields(context)}<input type="hidden" name="revision" value="${parts.configEditing.revision()}">
${schemaForm(fieldsOf({ ...value, name }, parts), { value, typed, errors })}
${buttonRow([{ label: 'Save' }, ...(didNotWork ? [saveUntried] : [])], html`<a href="${context.base}/settings/channels">Leave it as it is</a>`)}
</form>`
    : html`<pre tabindex="0" role="region" aria-label="As it is written">${stringify(maskedRaw(value), { lineWidth: 0 })}</pre>`
}`,
    },
  }
}

function pauseIn(name: string, { until }: NonNullable<PausedUntil>, context: PageContext): Html {
  const action = `/settings/channels/${name}/resume`
  return html`<div class="caveat"><p>It is paused until ${timeOf(until, context.timeZone)}. Alerts that come meanwhile are held; when the pause ends, one message says what came.</p>
${buttonForm(context, { action, label: 'Resume', about: name })}</div>`
}

export async function changeChannel(request: ActionRequest, parts: ConsoleParts): Promise<ConsoleReply> {
  const refusal = refusedHere(parts)
  if (refusal !== undefined) return refusal
  const { name = '' } = request.parameters
  const { configEditing: editing } = parts
  const channel = editing.channel(name)
  if (channel === undefined || whyNotEdited(channel.value) !== undefined) return noSuchChannel
  const typed = withRefusedSecrets(textsIn(request.fields), request.draft)
  const reject = (errors: Record<string, string | undefined>, status = 422) =>
    showChannel(request, parts, { typed, errors, status })
  const fields = fieldsOf({ ...channel.value, name }, parts)
  const { value, problems } = valueFrom(fields, typed)
  if (problems.length > 0) return reject(errorsAt(fields, problems))
  const others = elsewhere(name, parts)
  const kept = Object.fromEntries(Object.entries(channel.value).filter(([key]) => others.includes(key)))
  const becomes = { ...kept, ...value, name }
  if (typed.do !== untried) {
    const trial = channelTrial(becomes, { ...channel.value, name }, parts)
    const wrong = await trialErrors(trial, parts, request.by.name)
    if (wrong !== undefined) {
      keepRefusedSecrets(typed, request.draft, fields)
      return showChannel(request, parts, { typed, errors: wrong, status: 422, didNotWork: true })
    }
  }
  const changed = await editing.change(request, { channel: name }, becomes, Number(typed.revision))
  if (changed.result === 'outrun') return reject({ '': meanwhile }, 409)
  if (changed.result === 'refused') return reject({ '': changed.why }, 409)
  if (changed.result === 'invalid') return reject(errorsAt(fields, changed.problems))
  request.draft.drop()
  return { to: '/settings/channels?done=saved' }
}

/** Asks, and says what becomes of what is pending. */
export async function showRemoval(
  { context, parameters: { name = '' } }: PageRequest,
  parts: ConsoleParts,
  problem?: string,
): Promise<ConsoleReply> {
  const channel = parts.configEditing.channel(name)
  if (channel === undefined) return noSuchChannel
  const state = (await parts.ready()).channels.find((one) => one.name === name)
  const held = (state?.held ?? []).reduce((sum, { count }) => sum + count, 0)
  const pending = (state?.waiting ?? 0) + held
  const refusal =
    channel.from === 'file'
      ? `It is ${placeInWords(channel)}: remove it there.`
      : parts.configEditing.refusal()
  return {
    page: {
      title: `Remove ${name}`,
      ...(problem !== undefined && { status: 409 }),
      body: html`<h1>Remove ${name}?</h1>
${errorSummary({ '': problem })}
<p class="text">${pending === 0 ? 'Nothing is pending for it.' : `${counted(pending, 'notification is', 'notifications are')} pending for it, and will not be sent. Operators are notified of that.`} What was sent stays in the list of alerts.</p>
${withoutOperator(name, parts)?.length === 0 && html`<p class="caveat">Only ${name} is notified of trouble. Afterwards nobody is.</p>`}
${
  refusal === undefined
    ? html`<form class="form" method="post" action="${context.base}/settings/channels/${name}/remove">${formFields(context)}
<input type="hidden" name="revision" value="${parts.configEditing.revision()}">
${buttonRow([{ label: `Remove ${name}`, look: 'danger' }], html`<a href="${context.base}/settings/channels/${name}">Keep it</a>`)}</form>`
    : html`<p class="caveat">${refusal}</p>`
}`,
    },
  }
}

/** Who is notified of trouble without this channel; undefined if it is not, or the file says who is. */
function withoutOperator(
  name: string,
  { configEditing }: Pick<ConsoleParts, 'configEditing'>,
): unknown[] | undefined {
  const { value, from } = configEditing.section('operators')
  const isOne = from === 'browser' && Array.isArray(value) && value.includes(name)
  return isOne ? value.filter((one) => one !== name) : undefined
}

export async function removeChannel(request: ActionRequest, parts: ConsoleParts): Promise<ConsoleReply> {
  const refusal = refusedHere(parts)
  if (refusal !== undefined) return refusal
  const { name = '' } = request.parameters
  const { configEditing: editing } = parts
  if (editing.channel(name) === undefined) return noSuchChannel
  const { revision } = textsIn(request.fields)
  const operators = withoutOperator(name, parts)
  const changes = [
    ...(operators === undefined ? [] : [{ part: { section: 'operators' as const }, becomes: operators }]),
    { part: { channel: name }, becomes: undefined },
  ]
  const changed = await editing.changeAll(request, changes, Number(revision))
  if (changed.result === 'outrun') return showRemoval(request, parts, meanwhile)
  if (changed.result === 'refused') return showRemoval(request, parts, changed.why)
  if (changed.result === 'invalid') {
    return showRemoval(request, parts, Object.values(errorsAt([], changed.problems)).join(' '))
  }
  return { to: '/settings/channels?done=removed' }
}

export async function pauseChannel(request: ActionRequest, parts: ConsoleParts): Promise<ConsoleReply> {
  const { by, key, parameters } = request
  const { name = '' } = parameters
  if (!parts.config().channels.some((one) => one.name === name)) return noSuchChannel
  if ((await pauseOf(name, parts)) === undefined) {
    // The longest that there is: a silence always ends.
    const until = parts.clock.now() + longestSilenceMs
    await parts.control.acts.silence(
      { by, key },
      { scope: { channel: name }, until, why: 'paused in the settings' },
    )
  }
  return { to: `/settings/channels/${name}?done=paused` }
}

export async function resumeChannel(request: ActionRequest, parts: ConsoleParts): Promise<ConsoleReply> {
  const { by, key, parameters } = request
  const { name = '' } = parameters
  const pause = await pauseOf(name, parts)
  if (pause !== undefined) await parts.control.acts.endSilence({ by, key }, pause.id)
  return { to: `/settings/channels/${name}?done=resumed` }
}
