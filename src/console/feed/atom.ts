import { html } from '../html.ts'
import type { Feed, FeedEntry } from './feed.ts'

/**
 * A feed as RFC 4287 has it. Made as pages are: what is put in is escaped, and no text has what XML cannot hold. Titles are
 * text; what readers take for markup is our own.
 */
export function atomOf({ id, title, updated, self, home, next, entries }: Feed): string {
  return html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${id}</id>
<title type="text">${title}</title>
<updated>${updated}</updated>
<author><name>Bluepencil</name></author>
<link rel="self" type="application/atom+xml" href="${self}"/>
<link rel="alternate" type="text/html" href="${home}"/>
${next !== undefined && html`<link rel="next" type="application/atom+xml" href="${next}"/>`}
${entries.map((entry) => entryOf(entry))}</feed>
`.toString()
}

function entryOf({ id, url, title, content, published, updated, tags }: FeedEntry) {
  return html`<entry>
<id>${id}</id>
<title type="text">${title}</title>
<published>${published}</published>
<updated>${updated}</updated>
<link rel="alternate" type="text/html" href="${url}"/>
${tags.map((tag) => html`<category term="${tag}"/>`)}
<content type="html">${content.toString()}</content>
</entry>
`
}
