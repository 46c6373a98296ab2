import * as z from 'zod'
import { alertPath } from '../../config/console.ts'
import type { Scope } from '../../event/act.ts'
import { knownCategories, knownModels } from '../../event/event.ts'
import { scopeInWords } from '../../message/render/acts.ts'
import { modelName } from '../../message/render/words.ts'
import type { KnownSilence } from '../../people/converse/silences.ts'
import { endFrom } from '../../people/converse/until.ts'
import { dayMs } from '../../platform/durations.ts'
import { counted, plain } from '../../platform/text.ts'
import { title } from '../../record/explain/title.ts'
import { errorSummary, fieldGroup, selectField, textField } from '../form-parts.ts'
import { type Html, html } from '../html.ts'
import { agoOf, buttonForm, formFields, timeOf } from '../page-parts.ts'
import type { ConsoleParts } from '../parts.ts'
import { readAlerts, type StoredAlert } from '../query.ts'
import {
  type ActionRequest,
  type ConsoleReply,
  notFound,
  type PageContext,
  type PageRequest,
} from '../reply.ts'

const short = z
  .string()
  .trim()
  .max(100)
  .transform((text) => (text === '' ? undefined : text))
  .optional()
  .catch(undefined)

/** What somebody wrote into the form, or what a link put there. */
const SilenceFields = z.object({
  model: short,
  category: short,
  channel: short,
  /** The alert from which it is asked for. */
  about: z.string().max(300).optional().catch(undefined),
  /** A button's end, or `at`: the field's; `try` asks what it would have held. */
  at: z.string().trim().max(40).optional().catch(undefined),
  until: z.string().trim().max(40).optional().catch(undefined),
  why: z.string().trim().max(200).optional().catch(undefined),
})
type SilenceFields = z.infer<typeof SilenceFields>

/** A field that was not accepted, and why. */
type Problems = Partial<Record<'at' | 'why' | 'category' | 'channel', string>>

/** `filled`: what was filled in, and why it was not accepted, if it was not. */
export async function showSilences(
  { context, query, mayAct }: PageRequest,
  { control, config }: ConsoleParts,
  filled?: { form: SilenceFields; problems: Problems },
): Promise<ConsoleReply> {
  const silences = await control.acts.silences()
  const form = filled?.form ?? SilenceFields.parse(query)
  const channels = config().channels.map(({ name }) => name)
  const scope = scopeOf(form)
  const isTried = filled !== undefined || Object.keys(scope).length > 0
  const held = mayAct && isTried ? await heldLately(scope, control, context) : undefined
  return {
    page: {
      title: 'Silences',
      ...(Object.keys(filled?.problems ?? {}).length > 0 && { status: 422 }),
      body: html`<h1>Silences</h1>
<p class="text">During a silence, the alerts that it covers are held. When it ends, one message lists them.</p>
${silences.length === 0 ? html`<p class="none">There are no active silences.</p>` : tableOf(silences, mayAct, context)}
${mayAct && formOf(form, { channels, problems: filled?.problems ?? {}, held, context })}`,
    },
  }
}

const triedMs = 30 * dayMs
const mostTried = 500

/** What a silence would have held in the last thirty days, newest first. */
interface HeldLately {
  alerts: StoredAlert[]
  /** There are more alerts than are read; these are of the newest `mostTried`. */
  isCut: boolean
}

/** Each change once, however often it was reported; no corrections, which go out despite a silence. */
async function heldLately(
  scope: Scope,
  control: ConsoleParts['control'],
  { now }: PageContext,
): Promise<HeldLately> {
  const from = new Date(now - triedMs).toISOString()
  const { rows, before } = await readAlerts(control, { ...scope, from, limit: mostTried })
  const alerts = rows.filter(
    ({ entry, outcomes }) =>
      entry.revises === undefined &&
      entry.confirms === undefined &&
      Object.entries(outcomes).some(
        ([channel, { state }]) =>
          (scope.channel === undefined || scope.channel === channel) &&
          state !== 'not_sent' &&
          // Digests and stories have alerts of other changes merged into them: those count.
          !(state === 'merged' && entry.sameAs !== null),
      ),
  )
  return { alerts, isCut: before !== undefined }
}

export async function silence(request: ActionRequest, parts: ConsoleParts): Promise<ConsoleReply> {
  const { by, key, fields, context } = request
  const { control, config, clock } = parts
  const form = SilenceFields.parse(fields)
  const { why, about, at } = form
  const until = form.until === 'at' ? at : form.until
  const reject = (problems: Problems) => showSilences(request, parts, { form, problems })
  if (until === 'try') return reject({})
  const end = endFrom(until ?? '', context.timeZone, clock.now())
  if (end === undefined) return reject({ at: 'Choose when it ends: a button, or a date and a time.' })
  if (why === undefined || why === '') return reject({ why: 'Say why, in a few words, for the others.' })
  const scope = scopeOf(form)
  if (scope.channel !== undefined && !config().channels.some(({ name }) => name === scope.channel)) {
    return reject({ channel: 'No such channel is configured.' })
  }
  const wanted = { scope, until: end, why, ...(about !== undefined && { about }) }
  const { result } = await control.acts.silence({ by, key }, wanted)
  if (result === 'bad-end') return reject({ at: 'A silence must end in the future, within 30 days.' })
  if (result === 'no-category') {
    const category = plain(scope.category ?? '')
    return reject({
      category: `No alert has had the category ${category}; there are ${knownCategories.join(', ')}.`,
    })
  }
  return { to: '/silences?done=silenced' }
}

export async function endSilence(
  { by, key, parameters: { id = '' } }: ActionRequest,
  { control }: ConsoleParts,
): Promise<ConsoleReply> {
  const { result } = await control.acts.endSilence({ by, key }, id)
  if (result === 'unknown') return notFound('There is no such silence. It may have ended.')
  return { to: `/silences?done=${result === 'done' ? 'silence-ended' : 'silence-ended-before'}` }
}

function scopeOf({ model, category, channel }: SilenceFields): Scope {
  return {
    ...(model !== undefined && { model: model.toLowerCase() }),
    ...(category !== undefined && category.toLowerCase() !== 'all' && { category: category.toLowerCase() }),
    ...(channel !== undefined && { channel }),
  }
}

function tableOf(silences: readonly KnownSilence[], mayAct: boolean, context: PageContext): Html {
  const { timeZone } = context
  return html`<table class="cards"><thead><tr><th scope="col">Of what</th><th scope="col">Until</th><th scope="col">By whom, and why</th>${mayAct && html`<th scope="col">Act</th>`}</tr></thead><tbody>
${silences.map(
  ({
    id,
    scope,
    until,
    by,
    why,
  }) => html`<tr><th scope="row">${scopeInWords(scope)}</th><td data-label="Until">${timeOf(until, timeZone)}</td>
<td data-label="By">${by.name}: ${why}</td>
${mayAct && html`<td>${buttonForm(context, { action: `/silences/${id}/end`, label: 'End it', about: `the silence of ${scopeInWords(scope)}` })}</td>`}</tr>`,
)}</tbody></table>`
}

/** Enter presses the first button of a form. Without this one, Enter would silence for two hours although a date is filled in. */
const enterPresses = html`<button class="unseen" name="until" value="at" tabindex="-1" aria-hidden="true">Silence until then</button>`

const ends = { '2h': '2 hours', tomorrow: 'until tomorrow 9:00', '2d': '2 days', '1w': '1 week' }

function formOf(
  { model = '', category = '', channel = '', at = '', why = '', about }: SilenceFields,
  {
    channels,
    problems,
    held,
    context,
  }: {
    channels: readonly string[]
    problems: Problems
    held: HeldLately | undefined
    context: PageContext
  },
): Html {
  const models = Object.fromEntries(knownModels.map((known) => [known, modelName(known)]))
  const chosen = (value: string) => (value === '' ? {} : { [value]: value })
  const same = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, name]))
  return html`<section id="add" aria-labelledby="add-title"><h2 id="add-title">Add a silence</h2>
${errorSummary(problems)}
<form class="form" method="post" action="${context.base}/silences">
${formFields(context)}
${enterPresses}
${about !== undefined && html`<input type="hidden" name="about" value="${about}">`}
${selectField({ name: 'model', label: 'Model', options: { '': 'all models', ...chosen(model), ...models }, value: model })}
${selectField({ name: 'category', label: 'Prompts', options: { '': 'all prompts', ...chosen(category), ...same(knownCategories) }, value: category, error: problems.category })}
${selectField({ name: 'channel', label: 'Channel', options: { '': 'all channels', ...chosen(channel), ...same(channels) }, value: channel, error: problems.channel })}
${textField({ name: 'why', label: 'Why', help: 'Others will ask', value: why, maxLength: 200, isRequired: true, error: problems.why })}
${fieldGroup('Silence it for', [
  html`<div class="row">${Object.entries(ends).map(([end, label]) => html`<button class="quiet" name="until" value="${end}">${label}</button>`)}</div>`,
  textField({
    name: 'at',
    label: 'Or until',
    help: context.timeZone,
    type: 'datetime-local',
    value: at,
    error: problems.at,
  }),
  html`<div class="row"><button name="until" value="at">Silence until then</button></div>`,
])}
${held !== undefined && heldInWords(held, context)}
<div class="row"><button class="quiet" name="until" value="try" formnovalidate>Show what it would have held</button></div>
</form></section>`
}

const mostListed = 10

function heldInWords({ alerts, isCut }: HeldLately, context: PageContext): Html {
  const count = alerts.length === 0 ? 'no alert' : counted(alerts.length, 'alert')
  const sentence = isCut
    ? `In the last 30 days there were more than ${mostTried} such alerts. It would have held ${count} of the newest ${mostTried}.`
    : `In the last 30 days it would have held ${count}.`
  return html`<div class="caveat" role="status"><p>${sentence}</p>
<ul>${alerts.slice(0, mostListed).map(({ entry }) => html`<li><a href="${alertPath(context.base, entry.id)}">${title(entry)}</a> <span class="meta">${agoOf(entry.receivedAt, context)}</span></li>`)}</ul></div>`
}
