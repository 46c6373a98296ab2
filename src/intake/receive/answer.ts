import { finished } from 'node:stream/promises'
import type { Request, Response } from 'express'
import { type Clock, within } from '../../platform/clock.ts'

export interface WebhookAnswer {
  status: number
  headers?: Record<string, string>
  body: unknown
}

const lingerMs = 5000

/**
 * Answers a request. One whose body was not read to its end is answered at once, and its connection is closed:
 * but not before the rest was thrown away for a while. A socket that is closed with unread bytes sends a reset,
 * which can destroy the answer before the sender has read it (RFC 9112, 9.6). Never rejects.
 */
export async function send(
  request: Request,
  response: Response,
  answer: WebhookAnswer,
  clock: Clock,
): Promise<void> {
  const text = JSON.stringify(answer.body)
  const isRead = request.readableEnded
  response.writeHead(answer.status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    ...(isRead ? {} : { Connection: 'close' }),
    ...answer.headers,
  })
  if (isRead) {
    response.end(text)
    return
  }
  response.write(text)
  await discard(request, clock)
  response.end()
}

/** Reads the rest of a request and keeps none of it, until it ends, its connection does, or the time is up. */
async function discard(request: Request, clock: Clock): Promise<void> {
  const ended = finished(request, { cleanup: true }).catch(() => undefined)
  request.resume()
  await within(clock, lingerMs, ended)
}
