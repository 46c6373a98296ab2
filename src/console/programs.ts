import type { ErrorRequestHandler, Request, Response } from 'express'
import { hasSignIn } from '../config/console.ts'
import type { TokenUse } from '../people/converse/tokens.ts'
import { StoreUnavailable } from '../store/store.ts'
import { WrongQuery } from './query.ts'
import { type ConsoleServices, whoAsks } from './request.ts'

/** Answers a program that may read. None of them changes anything or sets a cookie. */
export type AnswerProgram = (request: Request, response: Response, services: ConsoleServices) => Promise<void>

/** What a program gets instead of an answer (RFC 9457). */
interface ApiProblem {
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

export function answerNoAlert(response: Response): void {
  const detail = 'It never arrived, or is older than the retention.'
  answerProblem(response, { status: 404, title: 'No such alert is stored', detail })
}

/**
 * Answers a program that may read: with a token for this use, or like a browser with the session of somebody who may look. If
 * nobody has to sign in, other machines get nothing, even with a token.
 */
export async function answerReader(
  request: Request,
  response: Response,
  { use, answer, services }: { use: TokenUse; answer: AnswerProgram; services: ConsoleServices },
): Promise<void> {
  const token = use === 'feeds' ? request.query.token : bearerOf(request)
  if (hasSignIn(services.console()) && typeof token === 'string') {
    if ((await services.shown.tokens.find(token, use)) !== undefined) {
      return answer(request, response, services)
    }
    const why = services.shown.configEditing.lockedOut()
    // It may be among what cannot be read.
    if (why !== undefined) return answerLockedOut(response, why)
    return answerUnknown(response, 'This token is not known, or was revoked.')
  }
  const who = await whoAsks(request, services)
  if ('role' in who) return answer(request, response, services)
  if ('asks' in who) return answerUnknown(response, 'Sign in, or send a token.')
  if (who.status === 503) return answerLockedOut(response, who.refused)
  answerProblem(response, { status: 403, title: 'This is not open to you', detail: who.refused })
}

/** A reader that comes again later goes on. */
export function answerLockedOut(response: Response, detail: string): void {
  response.set('Retry-After', '600')
  answerProblem(response, { status: 503, title: 'Nobody can sign in now', detail })
}

function bearerOf({ headers }: Request): string | undefined {
  return /^Bearer +([\w-]+)$/i.exec(headers.authorization ?? '')?.[1]
}

function answerUnknown(response: Response, detail: string): void {
  response.set('WWW-Authenticate', 'Bearer realm="bluepencil"')
  answerProblem(response, { status: 401, title: 'The request has no valid sign-in', detail })
}

/** An answer that breaks off is ended as it is, so nobody takes a part for the whole. */
export function answerFailure({ onError }: { onError(error: unknown): void }): ErrorRequestHandler {
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
