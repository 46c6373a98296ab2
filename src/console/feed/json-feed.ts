import type { Feed } from './feed.ts'

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
