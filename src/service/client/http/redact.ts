import { plain } from '../../../platform/text.ts'

/** Longest text of the service’s that goes into a message of ours, in characters, an ellipsis included. */
const longestQuote = 201

/** Keys, tokens and client secrets that are in use. */
export type Secrets = readonly string[]

/** Takes them and every webhook secret out of a text that others wrote. */
function redact(text: string, secrets: Secrets): string {
  return secrets
    .filter((secret) => secret !== '')
    .reduce((clean, secret) => clean.replaceAll(secret, '[key]'), text)
    .replace(/whsec_[^\s"'<>]*/g, '[secret]')
}

/** The service's own words, fit for one line: no secret, no control or formatting character, not long. */
export function quote(text: string, secrets: Secrets): string {
  return plain(redact(text, secrets), longestQuote)
}

/**
 * A copy of an error that has only its words: Node's HTTP parser keeps the bytes that it could not read on
 * the error (`data`), and a logger would print a new secret with them.
 */
export function bareError(error: unknown, secrets: Secrets, depth = 3): Error {
  if (!(error instanceof Error)) return new Error(redact(String(error), secrets))
  const cause =
    error.cause === undefined || depth === 0 ? undefined : bareError(error.cause, secrets, depth - 1)
  const copy = new Error(redact(error.message, secrets), cause === undefined ? undefined : { cause })
  copy.name = error.name
  const code = errorCode(error)
  return code === undefined ? copy : Object.assign(copy, { code })
}

/** `ECONNREFUSED` and the like. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
