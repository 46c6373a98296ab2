import { createHmac } from 'node:crypto'
import { alertPath } from '../../config/console.ts'
import type { Message } from '../../message/message.ts'
import { plain } from '../../platform/text.ts'
import { type Html, html } from '../html.ts'
import type { FeedChange } from './changes.ts'

/** What a feed says, before it is Atom or JSON. Texts are of one line and harmless; none of them is markup. */
export interface Feed {
  /** `urn:uuid:…`: of these filters in this installation, for good. */
  id: string
  title: string
  /** ISO 8601, UTC. */
  updated: string
  /** Addresses: of this feed, of the list in the console, and of the older part. */
  self: string
  home: string
  next: string | undefined
  entries: FeedEntry[]
}

interface FeedEntry {
  /** Of the change, for good: the same in every feed, and if the console's address changes. */
  id: string
  url: string
  title: string
  content: Html
  published: string
  updated: string
  tags: string[]
}

/** Of a feed without entries. */
const never = '1970-01-01T00:00:00.000Z'

export function feedOf(
  changes: readonly FeedChange[],
  {
    filters,
    root,
    key,
    ...addresses
  }: {
    filters: Record<string, string | undefined>
    /** Absolute address of the console. */
    root: string
    /** The installation's own: two of them have other ids for the same. */
    key: string
  } & Pick<Feed, 'self' | 'home' | 'next'>,
): Feed {
  const chosen = Object.entries(filters)
    .flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  const entries = changes.map((change) => entryOf(change, { root, key }))
  const of = chosen.map(([name, value]) => `${name} ${plain(value, 80)}`).join(', ')
  return {
    id: idOf(`feed ${JSON.stringify(chosen)}`, key),
    title: of === '' ? 'Bluepencil: alerts' : `Bluepencil: alerts (${of})`,
    updated: entries.map(({ updated }) => updated).reduce((one, other) => (one > other ? one : other), never),
    ...addresses,
    entries,
  }
}

function entryOf(
  { first, shown, message, published, updated }: FeedChange,
  { root, key }: { root: string; key: string },
): FeedEntry {
  const { model, category, type } = shown
  return {
    id: idOf(`entry ${first}`, key),
    url: alertPath(root, shown.id),
    title: message.headline,
    content: contentOf(message),
    published,
    updated,
    tags: [model, category, type].flatMap((tag) => (tag === null || plain(tag) === '' ? [] : [plain(tag)])),
  }
}

/** What a reader of the feed is shown: markup of ours, in which nothing of the service's is. */
function contentOf({ kicker, text, facts, links, caveats, source }: Message): Html {
  return html`<p><em>${kicker}</em></p>
${caveats.map((caveat) => html`<p><strong>Note:</strong> ${caveat}</p>`)}${text.map((paragraph) => html`<p>${paragraph}</p>`)}
<ul>${facts.map(({ label, value }) => html`<li>${label}: ${value}</li>`)}</ul>
${links.map(({ label, url }) => html`<p><a href="${url}">${label}</a></p>`)}
<p>${source}</p>`
}

/** A UUID of version 8 (RFC 9562, 5.8), made of what it names and of nothing that changes. */
function idOf(name: string, key: string): string {
  const bytes = createHmac('sha256', key).update(name).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  const parts = [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ].map(([from, to]) => hex.slice(from, to))
  return `urn:uuid:${parts.join('-')}`
}

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
${entries.map((entry) => atomEntry(entry))}</feed>
`.toString()
}

function atomEntry({ id, url, title, content, published, updated, tags }: FeedEntry) {
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

/** A feed as https://jsonfeed.org/version/1.1 has it. */
export function jsonFeedOf({ title, self, home, next, entries }: Feed): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: home,
    feed_url: self,
    ...(next !== undefined && { next_url: next }),
    language: 'en',
    authors: [{ name: 'Bluepencil' }],
    items: entries.map((entry) => ({
      id: entry.id,
      url: entry.url,
      title: entry.title,
      content_html: entry.content.toString(),
      date_published: entry.published,
      date_modified: entry.updated,
      tags: entry.tags,
    })),
  })
}
