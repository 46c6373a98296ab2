import { type Html, html } from '../html.ts'
import { queryOf } from '../query.ts'

const forms = {
  'feed.atom': 'Atom',
  'feed.json': 'JSON Feed',
  'alerts.csv': 'CSV',
  'alerts.json': 'JSON',
}

/** The same alerts as a feed or a file. */
export function otherForms(filters: object, base: string): Html {
  const query = queryOf(filters)
  const links = Object.entries(forms).map(
    ([path, name], index) => html`${index > 0 && ', '}<a href="${base}/${path}${query}">${name}</a>`,
  )
  return html`<p class="meta">These alerts as a feed or a file: ${links}. <a href="${base}/dictionary">What stands in a file</a></p>`
}
