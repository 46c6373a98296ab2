import { isDeepStrictEqual } from 'node:util'
import type { CommonSettings } from '../../channels/settings.ts'
import { alertTypes, knownCategories, knownModels } from '../../event/event.ts'
import { modelName } from '../../message/render/words.ts'
import type { FilterTrial } from '../filter-trial.ts'
import type { FiltersFormData } from '../filters-form.ts'
import { filtersInWords, hoursInWords, weekdays } from '../filters-in-words.ts'
import { type Html, html } from '../html.ts'
import type { ConsolePage } from '../layout.ts'
import type { FileFilters } from '../parts.ts'
import { buttonForm, formFields, type PageContext, timeOf } from '../parts-of-pages.ts'
import { trialOf } from './filter-trial.ts'

interface FiltersPageData {
  channel: string
  timeZone: string
  stories: CommonSettings['stories']
  at: FileFilters
  /** What is written down is what the channel gets already; else this process has yet to take it up. */
  isInForce: boolean
  form: FiltersFormData
  /** Names what was in force when the form was shown. */
  basis: string
  /** Why it was not accepted. */
  problems: readonly string[]
  /** What the form would change, where it was tried. */
  trial?: { is: FilterTrial | 'untried'; words: readonly string[]; isChange: boolean } | undefined
}

const directions = {
  both: 'more and fewer refusals',
  rise: 'more refusals only',
  fall: 'fewer refusals only',
}
const rhythms = { '': 'none: at once', hour: 'every hour', day: 'every day', week: 'every week' }

export function filtersPage(shown: FiltersPageData, context: PageContext): ConsolePage {
  const { channel, form, problems, trial } = shown
  return {
    title: `What ${channel} gets`,
    ...(problems.length > 0 && { status: 422 }),
    body: html`<h1>What ${channel} gets</h1>
${standing(shown, context)}
${problems.length > 0 && html`<div class="caveat" role="alert" id="problem"><p>Nothing was changed.</p><ul>${problems.map((one) => html`<li>${one}</li>`)}</ul></div>`}
${trial !== undefined && tried({ ...shown, trial }, context)}
<section aria-labelledby="change-title"><h2 id="change-title">${trial === undefined ? 'Change it' : 'Change it otherwise'}</h2>
<form class="stacked wide" method="post" action="${context.base}/channels/${channel}/filters/try">
${formFields(context)}<input type="hidden" name="basis" value="${shown.basis}">
${choices(form)}
${hours(form, shown.timeZone)}
<button>Show what would change</button>
<p class="meta">Nothing is changed by this: the next page shows what the last 90 days would have been, and asks.</p>
</form></section>
<p><a href="${context.base}/channels">Leave it as it is</a></p>`,
  }
}

function standing(
  { channel, at, isInForce, timeZone, stories, basis }: FiltersPageData,
  context: PageContext,
): Html {
  const { file, changed } = at
  const say = (filters: FileFilters['file']) =>
    [filtersInWords(filters), ...hoursInWords({ ...filters, timeZone, stories })].join(' ')
  return html`<dl class="facts">
${changed !== undefined && html`<div><dt>${isInForce ? 'In force' : 'Written down'}</dt><dd>${say(changed.filters)} <span class="meta">Changed by ${changed.by.name}, ${timeOf(changed.at, context.timeZone)}.</span></dd></div>`}
<div><dt>${changed === undefined && isInForce ? 'In force, as the file says' : 'The file'}</dt><dd>${say(file)}</dd></div>
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
  html`<form class="stacked" method="post" action="${context.base}/channels/${channel}/filters">
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

function choices(form: FiltersFormData): Html {
  return html`${boxes({ name: 'models', legend: 'Models', help: 'None ticked: every model, also those to come.' }, knownModels, form.models, modelName)}
${boxes({ name: 'events', legend: 'Types', help: 'None ticked: every type.' }, alertTypes, form.events)}
${boxes({ name: 'categories', legend: 'Categories of prompts', help: 'None ticked: every category.' }, knownCategories, form.categories)}
<div><label for="otherCategories">Other categories, with commas between them</label><input id="otherCategories" name="otherCategories" value="${form.otherCategories}" autocomplete="off"></div>
<div><label for="minDelta">Changes of at least so many percentage points (empty: any)</label><input id="minDelta" name="minDelta" value="${form.minDelta}" inputmode="decimal" maxlength="8" autocomplete="off"></div>
${select({ name: 'direction', label: 'Direction' }, directions, form.direction)}`
}

function hours(form: FiltersFormData, timeZone: string): Html {
  return html`<fieldset><legend>Quiet hours (${timeZone})</legend><p class="meta">Alerts are held until they end; then one message says what came. Empty: none.</p>
<div><label for="quietFrom">From</label><input id="quietFrom" name="quietFrom" type="time" value="${form.quietFrom}"></div>
<div><label for="quietTo">To</label><input id="quietTo" name="quietTo" type="time" value="${form.quietTo}"></div>
${boxes({ name: 'quietDays', legend: 'Days on which they begin', help: 'None ticked: every day.' }, Object.keys(weekdays), form.quietDays, (day) => weekdays[day] ?? day)}
<div><label for="quietUnless">Sent all the same: changes of at least so many points</label><input id="quietUnless" name="quietUnless" value="${form.quietUnless}" inputmode="decimal" maxlength="8" autocomplete="off"></div></fieldset>
<fieldset><legend>Digest (${timeZone})</legend><p class="meta">Alerts go out together, in one message.</p>
${select({ name: 'digestEvery', label: 'How often' }, rhythms, form.digestEvery)}
<div><label for="digestAt">At (daily and weekly; empty: 08:00)</label><input id="digestAt" name="digestAt" type="time" value="${form.digestAt}"></div>
${select({ name: 'digestOn', label: 'On (weekly)' }, { '': 'Monday, where nothing is said', ...weekdays }, form.digestOn)}
<div><label for="digestUnless">Sent at once all the same: changes of at least so many points</label><input id="digestUnless" name="digestUnless" value="${form.digestUnless}" inputmode="decimal" maxlength="8" autocomplete="off"></div></fieldset>`
}

function boxes(
  { name, legend, help }: { name: string; legend: string; help: string },
  known: readonly string[],
  chosen: readonly string[],
  shown: (one: string) => string = (one) => one.replaceAll('_', ' '),
): Html {
  const all = [...new Set([...known, ...chosen])]
  return html`<fieldset class="boxes"><legend>${legend}</legend><p class="meta">${help}</p>
${all.map((one) => html`<label><input type="checkbox" name="${name}" value="${one}"${chosen.includes(one) && html` checked`}> ${shown(one)}</label>`)}</fieldset>`
}

function select(
  { name, label }: { name: string; label: string },
  options: Record<string, string>,
  chosen: string,
): Html {
  return html`<div><label for="${name}">${label}</label><select id="${name}" name="${name}">
${Object.entries(options).map(([value, shown]) => html`<option value="${value}"${value === chosen && html` selected`}>${shown}</option>`)}</select></div>`
}
