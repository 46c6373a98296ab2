import type { ErrorRequestHandler, Response } from 'express'
import { StoreUnavailable } from '../store/store.ts'
import type { ReadingRefused } from './access/reading.ts'
import { WrongQuery } from './query.ts'

/** What a program is answered where it does not get what it asked for (RFC 9457). */
export interface ApiProblem {
  status: number
  title: string
  detail: string
}

export function answerProblem(response: Response, problem: ApiProblem): void {
  response
    .status(problem.status)
    .set({ 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store' })
    .end(JSON.stringify(problem))
}

export function answerNotRead(response: Response, { status, why }: ReadingRefused): void {
  if (status === 401) response.set('WWW-Authenticate', 'Bearer realm="bluepencil"')
  answerProblem(response, {
    status,
    title: status === 401 ? 'Nobody is known by this request' : 'This is not open to you',
    detail: why,
  })
}

/** What is cut off in the middle is ended as it is, so that nobody takes a part for the whole. */
export function problemOf({ onError }: { onError(error: unknown): void }): ErrorRequestHandler {
  return (error: unknown, _request, response, _next) => {
    if (response.headersSent) {
      onError(error)
      response.destroy()
      return
    }
    if (error instanceof WrongQuery) {
      const title = 'The address asks for what there is not'
      return answerProblem(response, { status: 400, title, detail: error.message })
    }
    onError(error)
    if (error instanceof StoreUnavailable) {
      response.set('Retry-After', '60')
      const detail = 'Try again in a minute.'
      return answerProblem(response, { status: 503, title: 'The store cannot be read', detail })
    }
    answerProblem(response, { status: 500, title: 'Something went wrong', detail: 'The log says what.' })
  }
}
