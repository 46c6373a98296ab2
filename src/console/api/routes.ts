import type { IRouter, Request, RequestHandler, Response } from 'express'
import { bearerOf, notToRead } from '../access/reading.ts'
import { rootAddress } from '../addresses.ts'
import type { ApplicationParts } from '../application.ts'
import { recordOf } from '../export/record.ts'
import { readAlerts } from '../list-page.ts'
import { answerNotRead, answerProblem } from '../problem.ts'
import { askedIn, filterFrom, WrongQuery } from '../query.ts'
import { cursorOf, type EventsAnswer, EventsQuery, placeFrom } from './answers.ts'
import { openApiOf } from './openapi.ts'

/** Adds the API: alerts by page, one of them, and what there is to ask for. */
export function addApi(routes: IRouter, parts: ApplicationParts): void {
  const { shown } = parts

  function reads(answer: (request: Request, response: Response) => Promise<void>): RequestHandler {
    return async (request, response) => {
      const { tokens } = shown
      const not = await notToRead(request, bearerOf(request), { ...parts, tokens, use: 'api' })
      if (not === undefined) await answer(request, response)
      else answerNotRead(response, not)
    }
  }

  async function eventsFor(request: Request): Promise<EventsAnswer> {
    const { limit, cursor, ...filters } = askedIn(EventsQuery, request)
    const before = cursor === undefined ? undefined : placeFrom(cursor)
    if (cursor !== undefined && before === undefined) throw new WrongQuery('cursor: is not that of an answer')
    const page = await readAlerts(shown.control, { ...filterFrom(filters), limit, before })
    const root = rootAddress(request, parts)
    return {
      data: page.rows.map((alert) => recordOf(alert, root)),
      next: page.before === undefined ? null : cursorOf(page.before),
    }
  }

  routes.get(
    '/api/v1/events',
    reads(async (request, response) => answerJson(response, await eventsFor(request))),
  )
  routes.get(
    '/api/v1/events/:id',
    reads(async (request, response) => {
      const { id = '' } = request.params
      const stored = await shown.control.event(String(id))
      if (stored?.entry.kind !== 'alert') {
        const detail = 'It was never here, or is older than the retention.'
        return answerProblem(response, { status: 404, title: 'No such alert is stored', detail })
      }
      const { entry } = stored
      answerJson(response, recordOf({ ...stored, entry }, rootAddress(request, parts)))
    }),
  )
  routes.get(
    '/api/v1/openapi.json',
    reads(async (request, response) => answerJson(response, openApiOf(rootAddress(request, parts)))),
  )
  routes.all(['/api', '/api/{*path}'], (_request, response) => {
    const detail = 'There are GET /api/v1/events, /api/v1/events/ID and /api/v1/openapi.json.'
    answerProblem(response, { status: 404, title: 'There is nothing at this address', detail })
  })
}

function answerJson(response: Response, answer: object): void {
  response
    .status(200)
    .set({ 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'private, no-store' })
    .end(JSON.stringify(answer))
}
