import * as z from 'zod'

/**
 * Each key is a question that the specification leaves open ("not shown"), each value one way to answer it, and
 * the description what people read about it. The defaults are one plausible reading.
 */
export const ServiceDialect = z.strictObject({
  'signature.hash': z
    .enum(['sha256', 'sha384', 'sha512', 'sha1'])
    .default('sha256')
    .describe('the hash function of the HMAC in X-Service-Signature'),
  'signature.encoding': z
    .enum(['hex', 'base64', 'base64url'])
    .default('hex')
    .describe('how the signature is written'),
  'signature.prefix': z
    .enum(['none', 'sha256=', 'sha384=', 'sha512=', 'sha1=', 'v1=', 'v1,'])
    .default('none')
    .describe('what stands before the signature in the header'),
  'signature.key': z
    .enum(['whole', 'without-prefix', 'base64-decoded'])
    .default('whole')
    .describe(
      'what of a whsec_… secret is the key: its text, its text after the prefix, or the bytes in that',
    ),
  'secret-on-get': z
    .enum(['no', 'yes'])
    .default('no')
    .describe('whether reading a subscription shows its secret again'),
  'create-status': z
    .enum(['201', '200'])
    .default('201')
    .describe('the status of a subscription that was made'),
  'delete-status': z
    .enum(['204', '200', '200-empty'])
    .default('204')
    .describe('204, 200 with {"id","deleted":true}, or 200 with nothing'),
  'further-states': z
    .enum(['no', 'yes'])
    .default('no')
    .describe(
      'with yes a subscription is pending until it is first read; only then does it receive deliveries',
    ),
  rates: z
    .enum(['fraction', 'percent'])
    .default('fraction')
    .describe('a refusal rate of one fifth is written 0.2, or 20; bias scores are from −1 to 1 either way'),
  'sample-size': z
    .enum(['sample_size', 'sampleSize', 'n', 'meta.sample_size', 'per-category'])
    .default('sample_size')
    .describe(
      'the name and place of the sample size; per-category is a "sample_size" with a number for each rate',
    ),
  'history-shape': z
    .enum(['points', 'columns', 'by-category'])
    .default('points')
    .describe('a list of readings, a list of times beside lists of rates, or a list of points for each rate'),
  'compare-shape': z
    .enum(['list', 'by-model', 'by-metric'])
    .default('list')
    .describe("a list of the models' metrics, an object with a key for each model, or one for each metric"),
  'bias-shape': z
    .enum(['topics-list', 'topics-object', 'scores'])
    .default('topics-list')
    .describe('a list of topics, an object with a key for each topic, or numbers only'),
  'list-shape': z
    .enum(['bare', 'data', 'items', 'results'])
    .default('bare')
    .describe('a list as such, or under the key of that name'),
  pages: z
    .enum(['none', 'cursor', 'number', 'link'])
    .default('none')
    .describe(
      'lists whole, or five entries a page; the next is named by a cursor, a number or the Link header',
    ),
  'publications-shape': z
    .enum(['flat', 'nested', 'camel'])
    .default('flat')
    .describe('fields side by side, under "attributes", or in camelCase with other names'),
  'datasets-shape': z
    .enum(['flat', 'nested', 'camel'])
    .default('flat')
    .describe('fields side by side, under "metadata", or in camelCase with other names'),
  download: z
    .enum(['stream', 'redirect', 'json-link'])
    .default('stream')
    .describe('the data set itself, a 302 to an address of the same host, or {"url"} with that address'),
  ranges: z
    .enum(['yes', 'no'])
    .default('yes')
    .describe('whether a download can be resumed with Range and If-Range'),
  'limit-window': z
    .enum(['fixed', 'sliding'])
    .default('fixed')
    .describe('requests count in the hour of the clock, or in the last 60 minutes'),
  'retry-after': z
    .enum(['body', 'header', 'both', 'fractional'])
    .default('body')
    .describe('where a 429 says when to ask again; fractional is both, with milliseconds: 12.345'),
  'rate-headers': z
    .enum(['none', 'x-ratelimit', 'ratelimit'])
    .default('none')
    .describe(
      'what each answer says of the limit: X-RateLimit-Remaining and its like, or the IETF draft RateLimit',
    ),
  'read-scopes': z
    .enum(['not-needed', 'needed'])
    .default('not-needed')
    .describe(
      'whether reading needs the scopes monitoring.read and research.read; webhooks need webhooks.write either way',
    ),
  'refresh-token': z
    .enum(['none', 'rotating', 'lasting'])
    .default('none')
    .describe('whether the token endpoint gives refresh tokens, and whether one ends when it is used'),
  'extra-fields': z
    .enum(['no', 'yes'])
    .default('no')
    .describe('with yes, unknown fields at every level of answers, errors and deliveries'),
  alerts: z
    .enum(['absent', 'present'])
    .default('absent')
    .describe('whether there is GET /monitoring/alerts?since=TIME, the events as a list'),
  'alerts-order': z
    .enum(['newest-first', 'oldest-first'])
    .default('newest-first')
    .describe('how that list is sorted'),
})
export type ServiceDialect = z.infer<typeof ServiceDialect>

export interface DialectKey {
  key: string
  values: readonly [byDefault: string, ...others: string[]]
  meaning: string
}

/** Each key with its values, the default first: zod itself lists "200" before "201", as objects sort their keys. */
export function dialectKeys(): DialectKey[] {
  return Object.entries(ServiceDialect.shape).map(([key, field]) => {
    const byDefault = field.parse(undefined)
    const others = field.unwrap().options.filter((value) => value !== byDefault)
    return { key, values: [byDefault, ...others], meaning: field.description ?? '' }
  })
}

/** What was asked for is not a dialect; the message says what is. */
export class DialectError extends Error {
  override readonly name = 'DialectError'
}

/** Reads `key=value` pairs, as the command line gives them. Throws `DialectError`. */
export function parseDialect(pairs: readonly string[]): ServiceDialect {
  const chosen = new Map<string, string>()
  for (const pair of pairs) {
    const [key, value] = splitPair(pair)
    if (chosen.has(key)) throw new DialectError(`The dialect key ${key} is given twice; give it once.`)
    checkValue(key, value)
    chosen.set(key, value)
  }
  return ServiceDialect.parse(Object.fromEntries(chosen))
}

/** At the first "=", since the value may hold another: `signature.prefix=sha256=`. */
function splitPair(pair: string): [string, string] {
  const at = pair.indexOf('=')
  if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)]
  throw new DialectError(`The dialect "${pair}" must be key=value, such as signature.hash=sha512.`)
}

function checkValue(key: string, value: string): void {
  const field = Object.entries(ServiceDialect.shape).find(([name]) => name === key)?.[1]
  if (field === undefined) {
    const allowed = Object.keys(ServiceDialect.shape).join(', ')
    throw new DialectError(`The dialect key "${key}" is not known; allowed are ${allowed}.`)
  }
  const allowed: readonly string[] = field.unwrap().options
  if (!allowed.includes(value)) {
    throw new DialectError(`The dialect ${key} cannot be "${value}"; allowed are ${allowed.join(', ')}.`)
  }
}
