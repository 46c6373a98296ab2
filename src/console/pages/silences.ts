import * as z from 'zod'
import type { Scope } from '../../event/act.ts'
import { knownCategories, knownModels } from '../../event/event.ts'
import { scopeInWords } from '../../message/render/acts.ts'
import { modelName } from '../../message/render/words.ts'
import type { KnownSilence } from '../../people/converse/silences.ts'
import { endFrom, waysToEnd } from '../../people/converse/until.ts'
import { plain } from '../../platform/text.ts'
import { type Html, html } from '../html.ts'
import { buttonForm, formFields, timeOf } from '../page-parts.ts'
import type { ConsoleParts } from '../parts.ts'
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
  until: z.string().trim().max(40).optional().catch(undefined),
  why: z.string().trim().max(200).optional().catch(undefined),
})
type SilenceFields = z.infer<typeof SilenceFields>

/** `rejected`: what was filled in, and why it was not accepted. */
export async function showSilences(
  { context, query, mayAct }: PageRequest,
  { control, config }: ConsoleParts,
  rejected?: { form: SilenceFields; problem: string },
): Promise<ConsoleReply> {
  const silences = await control.acts.silences()
  const form = rejected?.form ?? SilenceFields.parse(query)
  const channels = config().channels.map(({ name }) => name)
  return {
    page: {
      title: 'Silences',
      ...(rejected !== undefined && { status: 422 }),
      body: html`<h1>Silences</h1>
<p class="text">While a silence is in force, alerts that it covers are held. When it ends, one message says what it held.</p>
${silences.length === 0 ? html`<p class="none">No silence is in force.</p>` : tableOf(silences, mayAct, context)}
${mayAct && formOf(form, { channels, problem: rejected?.problem, context })}`,
    },
  }
}

export async function silence(request: ActionRequest, parts: ConsoleParts): Promise<ConsoleReply> {
  const { by, key, fields, context } = request
  const { control, config, clock } = parts
  const form = SilenceFields.parse(fields)
  const { until, why, about } = form
  const reject = (problem: string) => showSilences(request, parts, { form, problem })
  const end = endFrom(until ?? '', context.timeZone, clock.now())
  if (end === undefined) return reject(`The end cannot be read. Write ${waysToEnd}.`)
  if (why === undefined || why === '') return reject('Say why, in a few words: others will ask.')
  const scope = scopeOf(form)
  if (scope.channel !== undefined && !config().channels.some(({ name }) => name === scope.channel)) {
    return reject('No such channel is configured.')
  }
  const wanted = { scope, until: end, why, ...(about !== undefined && { about }) }
  const { result } = await control.acts.silence({ by, key }, wanted)
  if (result === 'bad-end') return reject('A silence ends later than now, and within 30 days.')
  if (result === 'no-category') {
    const category = plain(scope.category ?? '')
    return reject(`No alert has had the category ${category}; there are ${knownCategories.join(', ')}.`)
  }
  return { to: '/silences?done=silenced' }
}

export async function endSilence(
  { by, key, parameters: { id = '' } }: ActionRequest,
  { control }: ConsoleParts,
): Promise<ConsoleReply> {
  const { result } = await control.acts.endSilence({ by, key }, id)
  if (result === 'unknown') return notFound('No such silence is known: it ended some time ago.')
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

function formOf(
  { model, category = '', channel, until = '1h', why = '', about }: SilenceFields,
  {
    channels,
    problem,
    context,
  }: { channels: readonly string[]; problem: string | undefined; context: PageContext },
): Html {
  const models = [...new Set([...knownModels, ...(model === undefined ? [] : [model])])]
  return html`<section id="add" aria-labelledby="add-title"><h2 id="add-title">Add a silence</h2>
${problem !== undefined && html`<p class="caveat" role="alert" id="problem">${problem}</p>`}
<form class="stacked" method="post" action="${context.base}/silences">
${formFields(context)}
${about !== undefined && html`<input type="hidden" name="about" value="${about}">`}
<div><label for="model">Model</label><select id="model" name="model"><option value="">all models</option>${models.map((one) => html`<option value="${one}"${one === model && html` selected`}>${modelName(one)}</option>`)}</select></div>
<div><label for="category">Category (empty: all)</label><input id="category" name="category" value="${category}" maxlength="100" autocomplete="off"></div>
<div><label for="channel">Channel</label><select id="channel" name="channel"><option value="">all channels</option>${channels.map((one) => html`<option value="${one}"${one === channel && html` selected`}>${one}</option>`)}</select></div>
<div><label for="until">Until</label><input id="until" name="until" value="${until}" required maxlength="40" aria-describedby="until-help${problem !== undefined && ' problem'}"><p class="meta" id="until-help">${waysToEnd}</p></div>
<div><label for="why">Why</label><input id="why" name="why" value="${why}" required maxlength="200"></div>
<button>Silence</button>
</form></section>`
}
