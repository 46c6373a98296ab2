import { alertPath } from '../../config/console.ts'
import { type Html, html } from '../html.ts'
import type { ListPage } from '../listing/query.ts'
import { type PageContext, stateBadge, timeOf } from '../parts-of-pages.ts'

type Row = ListPage['rows'][number]

const tones: Record<Row['tone'], { sign: string; said: string }> = {
  rise: { sign: '▲', said: 'more refusals' },
  fall: { sign: '▼', said: 'fewer refusals' },
  none: { sign: '–', said: 'no size' },
}

const ways: Record<Row['way'], string> = {
  webhook: 'by webhook',
  list: 'in the list of alerts',
  found: 'found in the figures',
  own: 'from Bluepencil',
}

/** Alerts, or other entries, newest first: a link each, when it came, and what became of it. */
export function alertRows(rows: readonly Row[], context: PageContext): Html {
  return html`<ol class="alerts">${rows.map((row) => alertRow(row, context))}</ol>`
}

function alertRow(
  { id, received, title, tone, way, kind, outcomes }: Row,
  { base, timeZone }: PageContext,
): Html {
  const { sign, said } = tones[tone]
  return html`<li>
<span class="tone ${tone}"><span aria-hidden="true">${sign}</span><span class="unseen">${kind === 'alert' && said}</span></span>
<div><a class="headline" href="${alertPath(base, id)}">${title}</a>
<p class="meta">${timeOf(received, timeZone)} · ${ways[way]} · <code>${id}</code></p>
${outcomes.length > 0 && html`<p class="badges">${outcomes.map(({ channel, state }) => html`${stateBadge(state, channel)} `)}</p>`}
</div></li>`
}
