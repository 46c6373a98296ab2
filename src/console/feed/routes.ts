import type { IRouter, Request } from 'express'
import * as z from 'zod'
import { notToRead } from '../access/reading.ts'
import { rootAddress } from '../addresses.ts'
import type { ApplicationParts } from '../application.ts'
import { readAlerts } from '../list-page.ts'
import { answerNotRead } from '../problem.ts'
import { AlertFilters, askedIn, filterFrom, queryOf } from '../query.ts'
import { atomOf } from './atom.ts'
import { changesOf } from './changes.ts'
import { answerOnce } from './conditional.ts'
import { type Feed, feedOf } from './feed.ts'
import { jsonFeedOf } from './json-feed.ts'

const Asked = AlertFilters.extend({
  token: z.string().max(100).optional(),
  before: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
})

/** Alerts in one part of a feed. Who polls it each hour misses none of as many. */
const alertsInFeed = 100

const formats = {
  'feed.atom': { type: 'application/atom+xml; charset=utf-8', write: atomOf },
  'feed.json': { type: 'application/feed+json; charset=utf-8', write: jsonFeedOf },
} as const

/** Adds the feeds: of all alerts, or of those that the address asks for, for who is signed in or has a token. */
export function addFeeds(routes: IRouter, parts: ApplicationParts): void {
  const { shown, book, now } = parts

  async function feedAt(request: Request, path: string): Promise<Feed> {
    const { token, before, ...filters } = askedIn(Asked, request)
    const page = await readAlerts(shown.control, { ...filterFrom(filters), limit: alertsInFeed, before })
    const changes = await changesOf(page.rows, shown)
    const root = rootAddress(request, parts)
    const query = { ...filters, token }
    return feedOf(changes, {
      filters,
      root,
      key: await book.feedKey(),
      self: `${root}/${path}${queryOf({ ...query, before })}`,
      home: `${root}/alerts${queryOf(filters)}`,
      next:
        page.before === undefined
          ? undefined
          : `${root}/${path}${queryOf({ ...query, before: page.before })}`,
    })
  }

  for (const [path, { type, write }] of Object.entries(formats)) {
    routes.get(`/${path}`, async (request, response) => {
      const given = typeof request.query.token === 'string' ? request.query.token : undefined
      const not = await notToRead(request, given, { ...parts, tokens: shown.tokens, use: 'feeds' })
      if (not !== undefined) return answerNotRead(response, not)
      const feed = await feedAt(request, path)
      answerOnce(request, response, { type, text: write(feed), updated: feed.updated, now: now() })
    })
  }
}
