import { isPublicAddress } from '../../platform/outbound/address.ts'
import { gaveUpWaiting, type NoAnswer, type ProviderAnswer } from '../../platform/outbound/exchange.ts'
import { AddressNotAllowed } from '../../platform/outbound/guarded.ts'
import { retryAfter } from '../../platform/outbound/retry-after.ts'
import { cut, oneLine } from '../../platform/text.ts'
import type { SendFailure } from '../channel.ts'

/** Answers that are about this message only. Other messages may be accepted. */
const ofTheMessage = new Set([409, 413, 415, 422, 431])
/** Answers that pass: a time-out of the receiver's own, too early, too many. */
const passing = new Set([408, 425, 429])

const remedies: Record<number, string> = {
  400: 'it may reject the signature or the format: compare the secret on both sides',
  401: 'it rejects the signature: compare the secret on both sides',
  403: 'it refuses access: compare the secret on both sides, and check who may reach it',
  404: 'there is nothing at the address: correct `to`',
  405: 'the address does not accept POST: correct `to`',
  410: 'the address was closed for good: remove the channel, or correct `to`',
}

/**
 * What an answer means. Standard Webhooks and Svix count every 2xx as accepted and 410 as "no more". They follow no redirect and
 * retry everything else. GitHub counts 2xx as accepted, follows no redirect, and retries nothing. We also retry what a
 * person must fix, but slowly (`blocked`): redirects, 400, 401, 403, 404, 405, 410 and other 4xx that are not about one
 * message. An answer that repeats a text of `unquotable`, in capitals or not, is not quoted.
 */
export function verdictOn(answer: ProviderAnswer, unquotable: readonly string[]): SendFailure | undefined {
  const { status, headers } = answer
  if (status >= 200 && status < 300) return undefined
  const answered = `The receiver answers ${status}${quoteOf(answer, unquotable)}`
  if (status < 400) {
    return {
      result: 'blocked',
      why: `${answered}: a redirect, which Bluepencil does not follow; write the final address in \`to\`.`,
    }
  }
  const afterMs = retryAfter(headers)
  const wait = afterMs === undefined ? {} : { afterMs }
  if (passing.has(status)) return { result: 'retry', why: `${answered}.`, uncertain: status === 408, ...wait }
  if (ofTheMessage.has(status)) return { result: 'permanent', why: `${answered}: it rejects this message.` }
  if (status < 500) {
    return { result: 'blocked', why: `${answered}: ${remedies[status] ?? 'correct `to` or the secret'}.` }
  }
  return {
    result: 'retry',
    why: `${answered}.`,
    // A receiver says that it is busy before anything is done; of other errors nobody knows how far it came.
    uncertain: status !== 503,
    ...(gaveUpWaiting.has(status) && { unanswered: true }),
    ...wait,
  }
}

/** What ended without an answer. */
export function withoutAnswer(error: NoAnswer): SendFailure {
  const { reason, code, uncertain, cause } = error
  if (cause instanceof AddressNotAllowed) return { result: 'blocked', why: notAllowed(cause) }
  return {
    result: 'retry',
    why: `${reasons[reason]}${reason === 'broken' ? ` (${code ?? 'without a code'})` : ''}.`,
    uncertain,
    ...(uncertain && { unanswered: true }),
  }
}

export function notAllowed({ address }: AddressNotAllowed): string {
  if (address === '') return 'The name does not exist: correct `to`.'
  if (isPublicAddress(address)) {
    return `The name leads to ${address}, an address on the internet, and http is for private networks only: write https:// in \`to\`, or a name that leads into the private network.`
  }
  return `The name leads to ${address}, which is not on the internet: correct \`to\`, or allow it with allowPrivate: true.`
}

const reasons: Record<NoAnswer['reason'], string> = {
  stopped: 'Bluepencil stopped before the receiver had answered',
  'too slow': 'The receiver did not answer in time',
  'too long': 'The receiver’s answer is too long',
  broken: 'The receiver cannot be reached, or the connection broke',
}

/** The answer's first words. Some repeat what was sent. */
function quoteOf({ body }: ProviderAnswer, unquotable: readonly string[]): string {
  const line = oneLine(body)
  const small = line.toLowerCase()
  if (line === '' || unquotable.some((text) => small.includes(text.toLowerCase()))) return ''
  return ` (“${cut(line, 120)}”)`
}
