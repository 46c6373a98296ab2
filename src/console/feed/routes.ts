import { createHash } from 'node:crypto'
import type { Request, Response } from 'express'
import * as z from 'zod'
import { minuteMs } from '../../platform/durations.ts'
import type { AnswerProgram } from '../programs.ts'
import { AlertFilters, queryIn, queryOf, readAlerts } from '../query.ts'
import { type ConsoleServices, rootAddress } from '../request.ts'
import { changesOf } from './changes.ts'
import { atomOf, feedOf, jsonFeedOf } from './feed.ts'

const FeedQuery = AlertFilters.extend({
  token: z.string().max(100).optional(),
  before: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
})

/** Alerts in one part of a feed. Who polls it each hour misses none of as many. */
const alertsInFeed = 100

const formats = {
  atom: { type: 'application/atom+xml; charset=utf-8', write: atomOf },
  json: { type: 'application/feed+json; charset=utf-8', write: jsonFeedOf },
} as const

export type FeedPath = keyof typeof formats

/** All alerts, or those that the address asks for. */
export function feed(path: FeedPath): AnswerProgram {
  return async (request, response, services) => {
    const { token, before: _, ...filters } = queryIn(FeedQuery, request)
    await answerFeed(request, response, services, {
      filters,
      path,
      at: `feed.${path}`,
      query: { ...filters, token },
    })
  }
}

const Part = z.looseObject({ before: FeedQuery.shape.before })

/** `at`: its path below the console's root. `query`: what its address asks for. */
export async function answerFeed(
  request: Request,
  response: Response,
  services: ConsoleServices,
  { filters, path, at, query = {} }: { filters: AlertFilters; path: FeedPath; at: string; query?: object },
): Promise<void> {
  const { shown, sessions } = services
  const { before } = queryIn(Part, request)
  const page = await readAlerts(shown.control, { ...filters, limit: alertsInFeed, before })
  const root = rootAddress(request, services)
  const partBefore = (seq?: number) => `${root}/${at}${queryOf({ ...query, before: seq })}`
  const feed = feedOf(await changesOf(page.rows, shown), {
    filters,
    root,
    key: await sessions.feedKey(),
    self: partBefore(before),
    home: `${root}/alerts${queryOf(filters)}`,
    next: page.before === undefined ? undefined : partBefore(page.before),
  })
  const { type, write } = formats[path]
  answerOnce(request, response, { type, text: write(feed), updated: feed.updated, now: shown.clock.now() })
}

/**
 * Answers with a text, or with 304 if the client has it already. A client without an ETag must name the very same time, since
 * clocks are set back. No time within the last minute is given: another entry may get the same.
 */
function answerOnce(
  request: Request,
  response: Response,
  { type, text, updated, now }: { type: string; text: string; updated: string; now: number },
): void {
  const at = Date.parse(updated)
  const lastModified = at > 0 && now - at > minuteMs ? new Date(at).toUTCString() : undefined
  response.set({
    ETag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`,
    'Cache-Control': 'private, no-cache',
    Vary: 'Authorization, Cookie',
    ...(lastModified !== undefined && { 'Last-Modified': lastModified }),
  })
  const { 'if-none-match': mark, 'if-modified-since': since } = request.headers
  const isKnown = mark === undefined ? since !== undefined && since === lastModified : request.fresh
  if (isKnown) response.status(304).end()
  else response.status(200).set('Content-Type', type).end(text)
}
