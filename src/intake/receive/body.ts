import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import getRawBody from 'raw-body'
import type { Clock } from '../../platform/clock.ts'

/** The documented payload has some 300 bytes; this is almost a thousand times that (docs/internals/interface.md). */
const mostBytes = 256 * 1024
const slowestMs = 10_000

export type ReceivedBody =
  | { result: 'bytes'; bytes: Buffer }
  | { result: 'too-large' }
  | { result: 'too-slow' }
  /** The connection broke, or the framing is not HTTP. */
  | { result: 'broken'; error: unknown }

/**
 * The bytes of a request exactly as they were sent. The signature covers these bytes, so they are never decompressed, and
 * their content type is ignored. The time limit is for the whole body and counts from the call: a slow sender cannot
 * extend it. Never rejects.
 */
export async function readBody(request: IncomingMessage, clock: Clock): Promise<ReceivedBody> {
  const length = request.headers['content-length'] ?? null
  const body = getRawBody(request, { limit: mostBytes, length }).then(
    (bytes): ReceivedBody => ({ result: 'bytes', bytes }),
    (error: unknown): ReceivedBody =>
      isTooLarge(error) ? { result: 'too-large' } : { result: 'broken', error },
  )
  // What came in one packet with its headers is there by now, and no clock has to be set for it.
  await setImmediate()
  if (request.complete) return await body
  const settled = new AbortController()
  const tooSlow = clock.sleep(slowestMs, settled.signal).then((): ReceivedBody => ({ result: 'too-slow' }))
  try {
    return await Promise.race([body, tooSlow])
  } finally {
    // Without a reason, abort makes an error with a stack: 10 µs for each delivery.
    settled.abort('settled')
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'entity.too.large'
}
