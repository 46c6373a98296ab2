import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  type ChannelFilters,
  type CommonSettings,
  filtersOf,
  isForTroubleAlone,
} from '../../channels/settings.ts'
import { alertPath } from '../../config/console.ts'
import { alertTypes, knownModels } from '../../event/event.ts'
import { counted } from '../../platform/text.ts'
import { type FiltersErrors, type FiltersFormData, filledIn, filtersFrom, formOf } from '../filters-form.ts'
import { filtersInWords, hoursInWords } from '../filters-in-words.ts'
import { errorSummary } from '../form-parts.ts'
import { type Html, html } from '../html.ts'
import type { ConsolePage } from '../layout.ts'
import { buttonForm, formFields, timeOf } from '../page-parts.ts'
import type { ConsoleParts, FileFilters, FilterTrial } from '../parts.ts'
import {
  type ActionRequest,
  type ConsoleReply,
  noSuchChannel,
  type PageContext,
  type PageRequest,
  problemPage,
} from '../reply.ts'
import { choices, hours } from './filters-fields.ts'

/** A channel and what it gets now. */
interface CurrentFilters extends Pick<CommonSettings, 'timeZone' | 'stories'> {
  channel: string
  at: FileFilters
  /** By the file and by what people have changed since. */
  filters: ChannelFilters
  /** Names these filters: a form with another basis was made before somebody's change. */
  basis: string
  /** What the file says is no concern of a channel that was made in the browser. */
  isMadeHere: boolean
  /** False if this process has yet to put in force what is stored. */
  isInForce: boolean
}

interface FiltersPageData extends CurrentFilters {
  form: FiltersFormData
  /** Why it was not accepted. */
  errors: FiltersErrors
  /** What the form would change, if it was tried. */
  trial?: { is: FilterTrial | 'untried'; words: readonly string[]; isChange: boolean }
}

/** Or why nothing of it can be changed here. */
function currentOf(channel: string, parts: ConsoleParts): CurrentFilters | ConsoleReply {
  const at = parts.filtersAt(channel)
  const settings = parts.config().channels.find(({ name }) => name === channel)
  if (at === undefined || settings === undefined) return noSuchChannel
  if (at.isFixed) return unchangeable('The configuration file says that it is fixed.')
  const isMadeHere = parts.configEditing.channel(channel)?.from === 'browser'
  if (isForTroubleAlone(at.file)) {
    const by = isMadeHere ? '' : ', by the configuration file'
    return unchangeable(`It is for trouble alone${by}: no alert goes there.`)
  }
  const { timeZone, stories } = settings
  const filters = filtersOf(at.changed?.filters ?? at.file)
  const basis = createHash('sha256')
    .update(JSON.stringify([at.lastAt ?? '', filters]))
    .digest('hex')
    .slice(0, 16)
  return {
    channel,
    at,
    filters,
    timeZone,
    stories,
    basis,
    isMadeHere,
    isInForce: isInForce(channel, filters, parts),
  }
}

function unchangeable(why: string): ConsoleReply {
  return problemPage(409, 'This cannot be changed here', why)
}

function isInForce(name: string, filters: ChannelFilters, { config }: ConsoleParts): boolean {
  const channel = config().channels.find((one) => one.name === name)
  return channel !== undefined && isDeepStrictEqual(filtersOf(channel), filters)
}

/** `more`: the form as it was filled in, and what came of it. */
export async function showFilters(
  { context, parameters: { name = '' } }: PageRequest,
  parts: ConsoleParts,
  more: Partial<Pick<FiltersPageData, 'form' | 'errors' | 'trial'>> = {},
): Promise<ConsoleReply> {
  const current = currentOf(name, parts)
  if (!('at' in current)) return current
  return { page: filtersPage({ ...current, form: formOf(current.filters), errors: {}, ...more }, context) }
}

const listed = { models: knownModels, events: alertTypes }

export async function tryFilters(request: ActionRequest, parts: ConsoleParts): Promise<ConsoleReply> {
  const { name = '' } = request.parameters
  const current = currentOf(name, parts)
  if (!('at' in current)) return current
  const form = filledIn(request.fields)
  const read = filtersFrom(form, listed)
  if ('errors' in read) return showFilters(request, parts, { form, errors: read.errors })
  const { filters } = read
  const { timeZone, stories } = current
  const words = [filtersInWords(filters), ...hoursInWords({ ...filters, timeZone, stories })]
  const isChange = !isDeepStrictEqual(filtersOf(filters), current.filters)
  const is = (await parts.tryFilters(name, filters)) ?? 'untried'
  return showFilters(request, parts, { form, trial: { is, words, isChange } })
}

export async function changeFilters(request: ActionRequest, parts: ConsoleParts): Promise<ConsoleReply> {
  const { name = '' } = request.parameters
  const current = currentOf(name, parts)
  if (!('at' in current)) return current
  const form = filledIn(request.fields)
  const read = filtersFrom(form, listed)
  if ('errors' in read) return showFilters(request, parts, { form, errors: read.errors })
  const becomes = filtersOf(read.filters)
  // A second click, too.
  if (isDeepStrictEqual(read.filters, current.filters)) return changed(name, current.filters, parts)
  const isChanged =
    request.fields.basis === current.basis &&
    (await parts.filtering.change(request, beforeChange(current), becomes))
  if (!isChanged) return showFilters(request, parts, { form, errors: { '': meanwhile } })
  return changed(name, becomes, parts)
}

export async function restoreFilters(request: ActionRequest, parts: ConsoleParts): Promise<ConsoleReply> {
  const { name = '' } = request.parameters
  const current = currentOf(name, parts)
  if (!('at' in current)) return current
  const { at } = current
  if (at.changed === undefined) return { to: '/channels?done=filters-file-before' }
  const isRestored =
    request.fields.basis === current.basis && (await parts.filtering.restore(request, beforeChange(current)))
  if (!isRestored) return showFilters(request, parts, { errors: { '': meanwhile } })
  return { to: `/channels?done=${isInForce(name, at.file, parts) ? 'filters-file' : 'filters-soon'}` }
}

function beforeChange({ channel, at, filters }: CurrentFilters) {
  return { channel, file: at.file, inForce: filters, lastAt: at.lastAt }
}

function changed(channel: string, becomes: ChannelFilters, parts: ConsoleParts): ConsoleReply {
  return { to: `/channels?done=${isInForce(channel, becomes, parts) ? 'filters-changed' : 'filters-soon'}` }
}

const meanwhile =
  'Somebody else has changed what this channel gets since you opened the form. Look at what is in force now, and try again.'

function filtersPage(shown: FiltersPageData, context: PageContext): ConsolePage {
  const { channel, errors, trial } = shown
  return {
    title: `What ${channel} gets`,
    ...(Object.keys(errors).length > 0 && { status: 422 }),
    body: html`<h1>What ${channel} gets</h1>
${currentFilters(shown, context)}
${errorSummary(errors)}
${trial !== undefined && tried({ ...shown, trial }, context)}
<section aria-labelledby="change-title"><h2 id="change-title">${trial === undefined ? 'Change it' : 'Change it otherwise'}</h2>
<form class="form" method="post" action="${context.base}/channels/${channel}/filters/try">
${formFields(context)}<input type="hidden" name="basis" value="${shown.basis}">
${choices(shown)}
${hours(shown)}
<button>Show what would change</button>
<p class="meta">Nothing is changed by this: the next page shows what the last 90 days would have been, and asks.</p>
</form></section>
<p><a href="${context.base}/channels">Leave it as it is</a></p>`,
  }
}

function currentFilters(
  { channel, at, isMadeHere, isInForce, timeZone, stories, basis }: FiltersPageData,
  context: PageContext,
): Html {
  const { file, changed } = at
  const inForce = isMadeHere ? 'In force' : 'In force, as the file says'
  const notInForce = isMadeHere ? 'Written down' : 'The file'
  const say = (filters: FileFilters['file']) =>
    [filtersInWords(filters), ...hoursInWords({ ...filters, timeZone, stories })].join(' ')
  return html`<dl class="facts">
${changed !== undefined && html`<div><dt>${isInForce ? 'In force' : 'Written down'}</dt><dd>${say(changed.filters)} <span class="meta">Changed by ${changed.by.name}, ${timeOf(changed.at, context.timeZone)}.</span></dd></div>`}
<div><dt>${changed === undefined && isInForce ? inForce : notInForce}</dt><dd>${say(file)}</dd></div>
</dl>
${!isInForce && html`<p class="caveat">It is written down, and not in force yet: it will be as soon as what is being sent has ended.</p>`}
${changed !== undefined && !isDeepStrictEqual(file, changed.file) && html`<p class="caveat">The file was changed since. What was changed here stays in force until the file is given back.</p>`}
${changed !== undefined && buttonForm(context, { action: `/channels/${channel}/filters/restore`, label: 'Give the file back', about: `for ${channel}`, fields: { basis } })}`
}

/** What would have been, and the button that puts it in force. */
function tried(
  { channel, form, basis, trial }: FiltersPageData & { trial: NonNullable<FiltersPageData['trial']> },
  context: PageContext,
): Html {
  const { is, words, isChange } = trial
  return html`<section class="trial" aria-labelledby="trial-title"><h2 id="trial-title">What would change</h2>
<p class="text">${words.join(' ')}</p>
${!isChange && html`<p class="none">That is what is in force already.</p>`}
${is === 'untried' ? html`<p class="caveat">What it would have meant lately cannot be shown here.</p>` : trialOf(is, context)}
${
  isChange &&
  html`<form class="form" method="post" action="${context.base}/channels/${channel}/filters">
${formFields(context)}<input type="hidden" name="basis" value="${basis}">${hiddenOf(form)}
<button>Put it in force</button></form>`
}
</section>`
}

function hiddenOf(form: FiltersFormData): Html[] {
  return Object.entries(form).flatMap(([name, value]: [string, string | string[]]) =>
    [value].flat().map((one) => html`<input type="hidden" name="${name}" value="${one}">`),
  )
}

/** So many alerts are listed. */
const mostShown = 20

/** What other filters would have meant for what came in, beside those in force. */
function trialOf(
  { from, alerts, messages, became, added, dropped }: FilterTrial,
  context: PageContext,
): Html {
  return html`<p class="text">${counted(alerts, 'alert')} came in since ${timeOf(from, context.timeZone)}. This is what would have become of them.</p>
<table class="cards"><thead><tr><th scope="col">What</th><th scope="col">As it is</th><th scope="col">Changed</th></tr></thead><tbody>
<tr><th scope="row">Messages</th><td data-label="As it is">${messages.asItIs}</td><td data-label="Changed">${messages.changed}</td></tr>
${became.map(
  ({ what, asItIs, changed }) =>
    html`<tr><th scope="row">Alerts ${what}</th><td data-label="As it is">${asItIs}</td><td data-label="Changed">${changed}</td></tr>`,
)}</tbody></table>
${triedAlerts('It would also get', 'It would get nothing more.', added, context)}
${triedAlerts('It would no longer get', 'Nothing would be missing.', dropped, context)}`
}

function triedAlerts(
  title: string,
  none: string,
  alerts: FilterTrial['added'],
  { base, timeZone }: PageContext,
): Html {
  if (alerts.length === 0) return html`<p class="none">${none}</p>`
  return html`<h3>${title} (${alerts.length})</h3><ul class="tried">${alerts
    .slice(0, mostShown)
    .map(
      ({ id, receivedAt, headline }) =>
        html`<li>${timeOf(receivedAt, timeZone)} <a href="${alertPath(base, id)}">${headline}</a></li>`,
    )}</ul>
${alerts.length > mostShown && html`<p class="meta">… and ${alerts.length - mostShown} more.</p>`}`
}
