import * as z from 'zod'

/**
 * Each key is a question that the specification leaves open ("not shown"), each value one way to answer it.
 * The defaults are one plausible reading.
 */
export const Dialect = z.strictObject({
  /** The hash function of the HMAC in `X-Service-Signature`. */
  'signature.hash': z.enum(['sha256', 'sha384', 'sha512', 'sha1']).default('sha256'),
  'signature.encoding': z.enum(['hex', 'base64', 'base64url']).default('hex'),
  /** Stands before the signature in the header. */
  'signature.prefix': z
    .enum(['none', 'sha256=', 'sha384=', 'sha512=', 'sha1=', 'v1=', 'v1,'])
    .default('none'),
  /** What of a `whsec_…` secret is the key: its text, its text after the prefix, or the bytes which that encodes. */
  'signature.key': z.enum(['whole', 'without-prefix', 'base64-decoded']).default('whole'),
  /** Whether reading a subscription shows its secret again. */
  'secret-on-get': z.enum(['no', 'yes']).default('no'),
  'create-status': z.enum(['201', '200']).default('201'),
  /** With 200, the body is `{"id","deleted":true}`. */
  'delete-status': z.enum(['204', '200']).default('204'),
  /** A list as such, or under the key of that name. */
  'list-shape': z.enum(['bare', 'data', 'items', 'results']).default('bare'),
})
export type Dialect = z.infer<typeof Dialect>

/** What was asked for is not a dialect; the message says what is. */
export class DialectError extends Error {
  override readonly name = 'DialectError'
}

/** Reads `key=value` pairs, as the command line gives them. Throws `DialectError`. */
export function parseDialect(pairs: readonly string[]): Dialect {
  const chosen = new Map<string, string>()
  for (const pair of pairs) {
    const [key, value] = splitPair(pair)
    if (chosen.has(key)) throw new DialectError(`The dialect key ${key} is given twice; give it once.`)
    checkValue(key, value)
    chosen.set(key, value)
  }
  return Dialect.parse(Object.fromEntries(chosen))
}

/** At the first "=", since the value may hold another: `signature.prefix=sha256=`. */
function splitPair(pair: string): [string, string] {
  const at = pair.indexOf('=')
  if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)]
  throw new DialectError(`The dialect "${pair}" must be key=value, such as signature.hash=sha512.`)
}

function checkValue(key: string, value: string): void {
  const field = Object.entries(Dialect.shape).find(([name]) => name === key)?.[1]
  if (field === undefined) {
    const allowed = Object.keys(Dialect.shape).join(', ')
    throw new DialectError(`The dialect key "${key}" is not known; allowed are ${allowed}.`)
  }
  const allowed: readonly string[] = field.unwrap().options
  if (!allowed.includes(value)) {
    throw new DialectError(`The dialect ${key} cannot be "${value}"; allowed are ${allowed.join(', ')}.`)
  }
}
