import { alertPath } from '../../config/console.ts'
import { type Entry, isFinding } from '../../event/event.ts'
import { title } from '../../record/explain/title.ts'
import type { StoredEntry } from '../../store/store.ts'
import { type Html, html } from '../html.ts'
import { type PageContext, stateBadge, timeOf } from '../parts-of-pages.ts'

const tones: Record<'rise' | 'fall' | 'none', { sign: string; said: string }> = {
  rise: { sign: '▲', said: 'more refusals' },
  fall: { sign: '▼', said: 'fewer refusals' },
  none: { sign: '–', said: 'no size' },
}

const ways = {
  webhook: 'by webhook',
  list: 'in the list of alerts',
  found: 'found in the figures',
  own: 'from Bluepencil',
} as const

/** Alerts, or other entries, newest first: a link each, when it came, and what became of it. */
export function alertRows(rows: readonly StoredEntry[], context: PageContext): Html {
  return html`<ol class="alerts">${rows.map((row) => alertRow(row, context))}</ol>`
}

function alertRow({ entry, outcomes }: StoredEntry, { base, timeZone }: PageContext): Html {
  const { tone, way } = toneAndWayOf(entry)
  const { sign, said } = tones[tone]
  const states = Object.entries(outcomes).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return html`<li>
<span class="tone ${tone}"><span aria-hidden="true">${sign}</span><span class="unseen">${entry.kind === 'alert' && said}</span></span>
<div><a class="headline" href="${alertPath(base, entry.id)}">${title(entry)}</a>
<p class="meta">${timeOf(entry.receivedAt, timeZone)} · ${ways[way]} · <code>${entry.id}</code></p>
${states.length > 0 && html`<p class="badges">${states.map(([channel, { state }]) => html`${stateBadge(state, channel)} `)}</p>`}
</div></li>`
}

function toneAndWayOf(entry: Entry): { tone: keyof typeof tones; way: keyof typeof ways } {
  if (entry.kind !== 'alert') return { tone: 'none', way: 'own' }
  const { delta, source } = entry
  const way = isFinding(entry) ? 'found' : source === 'webhook' ? 'webhook' : 'list'
  return { tone: delta === null || delta === 0 ? 'none' : delta > 0 ? 'rise' : 'fall', way }
}
