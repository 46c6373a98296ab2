import { createHash } from 'node:crypto'
import type { Request, Response } from 'express'
import { minuteMs } from '../../platform/durations.ts'

/**
 * Answers with a text, or with 304 where the client has it already. By the mark of what is in it; by the time alone only
 * where it is the very same, since clocks are set back. Of the last minute no time is given: more may come that has it.
 */
export function answerOnce(
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
