import type { RequestHandler, Response } from 'express'
import { recordsOf } from '../export/record.ts'
import { type AnswerProgram, answerNoAlert, answerProblem } from '../programs.ts'
import { queryIn, readAlerts, WrongQuery } from '../query.ts'
import { rootAddress } from '../request.ts'
import { type EventsAnswer, EventsQuery, openApiOf } from './openapi.ts'

/** Alerts by page. */
export const events: AnswerProgram = async (request, response, services) => {
  const { limit, cursor, ...filters } = queryIn(EventsQuery, request)
  const before = cursor === undefined ? undefined : placeFrom(cursor)
  if (cursor !== undefined && before === undefined) throw new WrongQuery('cursor: is not that of an answer')
  const page = await readAlerts(services.shown.control, { ...filters, limit, before })
  const root = rootAddress(request, services)
  answerJson(response, {
    data: await recordsOf(page.rows, root, services.shown.control),
    next: page.before === undefined ? null : cursorOf(page.before),
  } satisfies EventsAnswer)
}

export const event: AnswerProgram = async (request, response, services) => {
  const stored = await services.shown.control.event(String(request.params.id))
  if (stored?.entry.kind !== 'alert') return answerNoAlert(response)
  const { entry } = stored
  const [record] = await recordsOf(
    [{ ...stored, entry }],
    rootAddress(request, services),
    services.shown.control,
  )
  answerJson(response, record ?? {})
}

/** What there is to ask for. */
export const description: AnswerProgram = async (request, response, services) => {
  answerJson(response, openApiOf(rootAddress(request, services)))
}

export const nothingHere: RequestHandler = (_request, response) => {
  const detail = 'There are GET /api/v1/events, /api/v1/events/ID and /api/v1/openapi.json.'
  answerProblem(response, { status: 404, title: 'There is nothing at this address', detail })
}

function answerJson(response: Response, answer: object): void {
  response
    .status(200)
    .set({ 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'private, no-store' })
    .end(JSON.stringify(answer))
}

/** A place in the list. Nobody is to make one. */
function cursorOf(seq: number): string {
  return Buffer.from(`s${seq}`).toString('base64url')
}

/** Undefined if it is none of ours. */
function placeFrom(cursor: string): number | undefined {
  const [, seq] = /^s(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  return seq === undefined ? undefined : Number(seq)
}
