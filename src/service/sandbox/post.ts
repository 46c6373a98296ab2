import * as http from 'node:http'
import * as https from 'node:https'
import type { Clock } from '../../platform/clock.ts'

/** A receiver that has not answered by then has not received. The specification does not say how long. */
const answerWithinMs = 10_000
/** No more of an answer's body is read, … */
const readBytes = 16 * 1024
/** … and of that so much is kept, to show what the receiver said. */
const keptCharacters = 500

/** The receiver's status and the beginning of its body, or why there is no status. */
export type PostResult = { status: number; answer: string } | { error: string }

/**
 * Sends one POST on a connection of its own and takes the answer as it comes: a redirect is not followed.
 * Never throws. `signal` ends it early.
 */
export async function post(
  url: string,
  headers: Record<string, string>,
  body: Buffer,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<PostResult> {
  const answered = new AbortController()
  const tooLate = new AbortController()
  void clock.sleep(answerWithinMs, answered.signal).then(() => tooLate.abort())
  try {
    const response = await send(url, headers, body, AbortSignal.any([signal, tooLate.signal]))
    return { status: response.statusCode ?? 0, answer: await readBeginning(response) }
  } catch (error) {
    if (tooLate.signal.aborted) return { error: `no answer within ${answerWithinMs / 1000} s` }
    return { error: signal.aborted ? 'the sandbox closed' : reason(error) }
  } finally {
    answered.abort()
  }
}

function send(
  url: string,
  headers: Record<string, string>,
  body: Buffer,
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { request } = new URL(url).protocol === 'https:' ? https : http
    const options = {
      method: 'POST',
      headers: { ...headers, 'Content-Length': body.length },
      agent: false,
      signal,
    }
    request(url, options, resolve).on('error', reject).end(body)
  })
}

/** The status is the answer; a body that breaks off or never ends takes nothing from it. */
async function readBeginning(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of response) {
      if (!Buffer.isBuffer(chunk)) break
      chunks.push(chunk)
      length += chunk.length
      if (length >= readBytes) break
    }
  } catch {
    // What was read until then is kept.
  }
  return Buffer.concat(chunks).toString('utf8').slice(0, keptCharacters).toWellFormed()
}

/** A failure to connect to any of several addresses has a code, such as ECONNREFUSED, but no message. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message === '' && 'code' in error ? String(error.code) : error.message
}
