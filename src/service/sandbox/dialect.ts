import * as z from 'zod'

/** The first value is the default. */
function choice<const T extends readonly [string, ...string[]]>(values: T, meaning: string) {
  return z.enum(values).default(values[0]).describe(meaning)
}

/**
 * Each key is a question that the specification leaves open ("not shown"), each value one way to answer it, and
 * the description what people read about it. The defaults are one plausible reading.
 */
export const ServiceDialect = z.strictObject({
  'signature.hash': choice(
    ['sha256', 'sha384', 'sha512', 'sha1'],
    'the hash function of the HMAC in X-Service-Signature',
  ),
  'signature.encoding': choice(['hex', 'base64', 'base64url'], 'how the signature is written'),
  'signature.prefix': choice(
    ['none', 'sha256=', 'sha384=', 'sha512=', 'sha1=', 'v1=', 'v1,'],
    'what stands before the signature in the header',
  ),
  'signature.key': choice(
    ['whole', 'without-prefix', 'base64-decoded'],
    'what of a whsec_… secret is the key: its text, its text after the prefix, or the bytes in that',
  ),
  'secret-on-get': choice(['no', 'yes'], 'whether reading a subscription shows its secret again'),
  'create-status': choice(['201', '200'], 'the status of a subscription that was made'),
  'delete-status': choice(
    ['204', '200', '200-empty'],
    '204, 200 with {"id","deleted":true}, or 200 with nothing',
  ),
  'further-states': choice(
    ['no', 'yes'],
    'with yes a subscription is pending until it is first read; only then does it receive deliveries',
  ),
  rates: choice(
    ['fraction', 'percent'],
    'a refusal rate of one fifth is written 0.2, or 20; bias scores are from −1 to 1 either way',
  ),
  'sample-size': choice(
    ['sample_size', 'sampleSize', 'n', 'meta.sample_size', 'per-category'],
    'the name and place of the sample size; per-category is a "sample_size" with a number for each rate',
  ),
  'history-shape': choice(
    ['points', 'columns', 'by-category'],
    'a list of readings, a list of times beside lists of rates, or a list of points for each rate',
  ),
  'compare-shape': choice(
    ['list', 'by-model', 'by-metric'],
    "a list of the models' metrics, an object with a key for each model, or one for each metric",
  ),
  'bias-shape': choice(
    ['topics-list', 'topics-object', 'scores'],
    'a list of topics, an object with a key for each topic, or numbers only',
  ),
  'list-shape': choice(['bare', 'data', 'items', 'results'], 'a list as such, or under the key of that name'),
  pages: choice(
    ['none', 'cursor', 'number', 'link'],
    'lists whole, or five entries a page; the next is named by a cursor, a number or the Link header',
  ),
  'publications-shape': choice(
    ['flat', 'nested', 'camel'],
    'fields side by side, under "attributes", or in camelCase with other names',
  ),
  'datasets-shape': choice(
    ['flat', 'nested', 'camel'],
    'fields side by side, under "metadata", or in camelCase with other names',
  ),
  download: choice(
    ['stream', 'redirect', 'json-link'],
    'the data set itself, a 302 to an address of the same host, or {"url"} with that address',
  ),
  ranges: choice(['yes', 'no'], 'whether a download can be resumed with Range and If-Range'),
  'limit-window': choice(
    ['fixed', 'sliding'],
    'requests count in the hour of the clock, or in the last 60 minutes',
  ),
  'retry-after': choice(
    ['body', 'header', 'both', 'fractional'],
    'how a 429 says when to ask again; fractional is both, with milliseconds: 12.345',
  ),
  'rate-headers': choice(
    ['none', 'x-ratelimit', 'ratelimit'],
    'what each answer says of the limit: X-RateLimit-Remaining and its like, or the IETF draft RateLimit',
  ),
  'read-scopes': choice(
    ['not-needed', 'needed'],
    'whether reading needs the scopes monitoring.read and research.read; webhooks need webhooks.write either way',
  ),
  'refresh-token': choice(
    ['none', 'rotating', 'lasting'],
    'whether the token endpoint gives refresh tokens, and whether one ends when it is used',
  ),
  'extra-fields': choice(
    ['no', 'yes'],
    'with yes, unknown fields at every level of answers, errors and deliveries',
  ),
  alerts: choice(
    ['absent', 'present'],
    'whether there is GET /monitoring/alerts?since=TIME, the events as a list',
  ),
  'alerts-order': choice(['newest-first', 'oldest-first'], 'how that list is sorted'),
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
