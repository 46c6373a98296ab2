import * as z from 'zod'
import { deskStates } from '../../event/desk.ts'
import { alertTypes, knownCategories, knownModels } from '../../event/event.ts'
import { modelName } from '../../message/render/words.ts'
import type { StoredEntry } from '../../store/store.ts'
import { deskStateNames } from '../desk-state.ts'
import { type Html, html } from '../html.ts'
import { alertRows, desksOf, type Sparklines, sendAllForm, seriesKey, stateNames } from '../page-parts.ts'
import type { ConsoleParts } from '../parts.ts'
import { type AlertFilters, type ListPage, queryOf, readPage, states } from '../query.ts'
import type { ConsoleReply, PageContext, PageRequest } from '../reply.ts'
import { followForm } from './feeds.ts'

const categories = ['political', 'safety', 'social']

/** One text, or nothing: what is empty, twice there or too long is not asked for. */
const text = z
  .string()
  .trim()
  .max(200)
  .transform((value) => (value === '' ? undefined : value))
  .optional()
  .catch(undefined)
const day = z.iso.date().optional().catch(undefined)

/** What the address of a list may ask for. Everything else in it is ignored. */
export const AlertsQuery = z.object({
  words: text,
  model: text,
  category: text,
  type: text,
  channel: text,
  outcome: z.enum(states).optional().catch(undefined),
  desk: z.enum(deskStates).optional().catch(undefined),
  from: day,
  to: day,
  before: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional().catch(undefined),
})
type AlertsQuery = z.infer<typeof AlertsQuery>

export const rowsOnPage = 40

export async function showAlerts(
  { context, mayAct, query: asked }: PageRequest,
  parts: ConsoleParts,
): Promise<ConsoleReply> {
  const { control, config } = parts
  const query = AlertsQuery.parse(asked)
  const { before: _, ...filters } = query
  const page = await readPage(control, { ...query, kind: 'alert', limit: rowsOnPage })
  const [sparklines, desks] = await Promise.all([sparklinesOf(page.rows, parts), desksOf(page.rows, parts)])
  const held = mayAct && query.outcome === 'held' ? (await parts.ready()).channels : []
  const channels = config().channels.map(({ name }) => name)
  return {
    page: {
      title: 'Alerts',
      isLive: query.before === undefined,
      body: html`<h1>Alerts</h1>
${filterForm(query, channels, context)}
${chipsOf({ ...query, before: undefined }, context)}
${sendAllForm(held, context)}
${page.rows.length === 0 ? html`<p class="none">${nothing(query)}</p>` : alertRows(page.rows, context, { sparklines, desks })}
${pagesOf(query, page, context)}
${otherForms(filters, context)}`,
    },
  }
}

/** The rates behind the alerts of a page, as far as they are stored. */
async function sparklinesOf(
  rows: readonly StoredEntry[],
  { storedFigures }: ConsoleParts,
): Promise<Sparklines> {
  const alerts = new Map(
    rows.flatMap(({ entry }) => (entry.kind === 'alert' ? [[seriesKey(entry), entry] as const] : [])),
  )
  const read = await Promise.all(
    Array.from(alerts, async ([key, { model, category }]) => {
      const rate = knownCategories.find((known) => known === category)
      if (model === null || rate === undefined) return []
      const figures = await storedFigures(model, rate).catch(() => undefined)
      return figures === undefined ? [] : [[key, figures.series] as const]
    }),
  )
  return new Map(read.flat())
}

/** The usual filters, a click each; a second click takes one away. */
function chipsOf(query: AlertsQuery, { base }: PageContext): Html {
  const chip = <Name extends keyof AlertsQuery>(name: Name, value: AlertsQuery[Name], label: string) => {
    const isOn = query[name] === value
    const changed = { ...query, [name]: isOn ? undefined : value }
    return html`<li><a class="chip" href="${base}/alerts${queryOf(changed)}"${isOn && html` aria-current="true"`}>${label}</a></li>`
  }
  return html`<nav aria-label="Filters"><ul class="chips">
${knownModels.map((model) => chip('model', model, modelName(model)))}
${categories.map((category) => chip('category', category, category))}
${deskStates.map((desk) => chip('desk', desk, deskStateNames[desk]))}
${(['held', 'failed'] as const).map((outcome) => chip('outcome', outcome, stateNames[outcome]))}
</ul></nav>`
}

function nothing(query: AlertsQuery): string {
  const isAsked = Object.entries(query).some(([name, value]) => name !== 'before' && value !== undefined)
  return isAsked ? 'No alerts match these filters.' : 'No alerts yet.'
}

function filterForm(query: AlertsQuery, channels: readonly string[], { base }: PageContext): Html {
  const { words, model, category, type, channel, outcome, desk, from, to } = query
  const isOpen = [type, channel, from, to].some((value) => value !== undefined)
  return html`<form class="filters" method="get" action="${base}/alerts" role="search">
<div class="search"><label for="words">Search</label><input id="words" name="words" type="search" value="${words ?? ''}" autocomplete="off"><button class="quiet">Show</button></div>
<details${isOpen && html` open`}><summary>More filters</summary><div class="fields">
${choice('model', 'Model', knownModels, model)}
${choice('category', 'Category', categories, category)}
${choice('type', 'Type', alertTypes, type)}
${choice('channel', 'Channel', channels, channel)}
${[choice('outcome', 'Outcome', states, outcome, (state) => stateNames[state]), choice('desk', 'Desk', deskStates, desk, (state) => deskStateNames[state])]}
<div><label for="from">From (UTC)</label><input id="from" name="from" type="date" value="${from ?? ''}"></div>
<div><label for="to">To (UTC)</label><input id="to" name="to" type="date" value="${to ?? ''}"></div>
</div><p><button class="quiet">Show</button> <a href="${base}/alerts">Clear</a></p></details>
</form>`
}

/** What is asked for is an option too, also if it is not known. */
function choice<One extends string>(
  name: string,
  label: string,
  known: readonly One[],
  chosen: string | undefined,
  shown: (one: One) => string = (one) => one.replaceAll('_', ' '),
): Html {
  const other = chosen !== undefined && !known.some((one) => one === chosen)
  return html`<div><label for="${name}">${label}</label><select id="${name}" name="${name}"><option value="">any</option>
${known.map((one) => html`<option value="${one}"${one === chosen && html` selected`}>${shown(one)}</option>`)}
${other && html`<option value="${chosen}" selected>${chosen}</option>`}
</select></div>`
}

function pagesOf(query: AlertsQuery, page: ListPage, { base }: PageContext): Html | false {
  const newest = query.before === undefined ? undefined : `/alerts${queryOf({ ...query, before: undefined })}`
  const older = page.before === undefined ? undefined : `/alerts${queryOf({ ...query, before: page.before })}`
  if (newest === undefined && older === undefined) return false
  return html`<nav class="pages" aria-label="More alerts">
${newest !== undefined && html`<a href="${base}${newest}">Newest</a>`}
${older !== undefined && html`<a href="${base}${older}" rel="next">Older</a>`}
</nav>`
}

const forms = {
  'alerts.csv': 'CSV',
  'alerts.json': 'JSON',
}

/** The same alerts as a feed or a file. */
function otherForms(filters: AlertFilters, context: PageContext): Html {
  const { base } = context
  const query = queryOf(filters)
  const links = Object.entries(forms).map(
    ([path, name], index) => html`${index > 0 && ', '}<a href="${base}/${path}${query}">${name}</a>`,
  )
  return html`${followForm(filters, context)}
<p class="meta">These alerts as a file: ${links}. <a href="${base}/dictionary">What the columns mean</a>. <a href="${base}/figures">All data</a></p>`
}
