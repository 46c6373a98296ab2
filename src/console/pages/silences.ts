import { knownModels } from '../../event/event.ts'
import { scopeInWords } from '../../message/render/acts.ts'
import { modelName } from '../../message/render/words.ts'
import type { KnownSilence } from '../../people/converse/silences.ts'
import { waysToEnd } from '../../people/converse/until.ts'
import { type Html, html } from '../html.ts'
import type { ConsolePage } from '../layout.ts'
import { buttonForm, formFields, type PageContext, timeOf } from '../parts-of-pages.ts'

/** What somebody wrote into the form, or what a link put there. */
export interface SilenceDraft {
  model?: string | undefined
  category?: string | undefined
  channel?: string | undefined
  until?: string | undefined
  why?: string | undefined
  /** The alert from which it is asked for. */
  about?: string | undefined
}

interface SilencesPageData {
  silences: readonly KnownSilence[]
  channels: readonly string[]
  wanted: SilenceDraft
  /** Why the form was not accepted. */
  problem?: string | undefined
  mayAct: boolean
}

export function silencesPage(
  { silences, mayAct, ...form }: SilencesPageData,
  context: PageContext,
): ConsolePage {
  return {
    title: 'Silences',
    ...(form.problem !== undefined && { status: 422 }),
    body: html`<h1>Silences</h1>
<p class="text">While a silence is in force, alerts that it covers are held. When it ends, one message says what it held.</p>
${silences.length === 0 ? html`<p class="none">No silence is in force.</p>` : tableOf(silences, mayAct, context)}
${mayAct && formOf(form, context)}`,
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
  { wanted, channels, problem }: Pick<SilencesPageData, 'wanted' | 'channels' | 'problem'>,
  context: PageContext,
): Html {
  const { model, category = '', channel, until = '1h', why = '', about } = wanted
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
