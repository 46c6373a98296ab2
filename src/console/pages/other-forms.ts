import { queryOf } from '../asked.ts'
import { type Html, html } from '../html.ts'

const forms = { 'feed.atom': 'Atom', 'feed.json': 'JSON Feed' }

/** The same alerts as a feed. */
export function otherForms(filters: object, base: string): Html {
  const query = queryOf(filters)
  return html`<p class="meta">These alerts as a feed: ${Object.entries(forms).map(
    ([path, name], index) => html`${index > 0 && ', '}<a href="${base}/${path}${query}">${name}</a>`,
  )}</p>`
}
