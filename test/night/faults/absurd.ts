import { between, type Chance } from '../../system/detector/chance.ts'

function oneOf<T>(random: Chance, list: readonly [T, ...T[]]): T {
  return list[Math.floor(random() * list.length)] ?? list[0]
}

const statuses = [
  201, 202, 204, 206, 299, 300, 301, 302, 304, 307, 400, 401, 402, 403, 404, 405, 408, 409, 410, 418, 422,
  425, 429, 429, 429, 429, 451, 499, 500, 501, 502, 503, 503, 503, 504, 524, 599,
] as const

/** Stand for numbers that JSON allows and no `number` holds. */
const rawNumbers = ['1e400', '-1e400', '-0', '0.1e-400', '123456789012345678901234567890', '1e308'] as const
const raw = rawNumbers.map((number) => `§${number}§`)

const times = [
  '275760-09-13T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  '+275760-09-13T00:00:00.001Z',
  '-271821-04-20T00:00:00Z',
  '0000-00-00T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '2026-02-30T24:00:00Z',
  '2026-11-21T15:05:60Z',
  '1970-01-01T00:00:00Z',
  '2026-11-21',
  '2026-W47-6',
  '2026-11-21T15:05:09+99:99',
  '2026-11-21T15:05:09[Europe/Berlin]',
  'Sat, 13 Sep 275760 00:00:00 GMT',
  'Sun, 06 Nov 1994 08:49:37 GMT',
  'Sunday, 06-Nov-94 08:49:37 GMT',
  'yesterday',
  '8640000000000001',
  '-1',
]

const ids = [
  '.',
  '..',
  '...',
  '/',
  '//',
  '\\',
  '%2e%2e',
  '%2F',
  '%',
  '%00',
  '..%2f..%2fetc',
  '?',
  '#',
  'evt_?#',
  'wh_/../..',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e',
  '\u2800',
  '👩‍👩‍👧‍👦',
  '<script>alert(1)</script>',
  "'; drop table alerts; --",
  '=cmd()',
  '{{7*7}}',
  '#{7*7}',
  'evt_1',
  'evt_1~2',
  'poll_1',
  'x'.repeat(200),
  'x'.repeat(300),
  'https://127.0.0.1:1/v1',
  'javascript:alert(1)',
]

const others = [
  null,
  true,
  false,
  0,
  -1,
  1,
  0.5,
  99.999,
  101,
  1e15,
  1e300,
  -1e300,
  5e-324,
  2 ** 53,
  '',
  '12',
  '+12pp',
  '-1e400pp',
  '+99999999999999999999pp',
  '∞pp',
  '−12,5 pp',
  [],
  [[]],
  {},
  { error: {} },
  { data: null },
  { __proto__: null },
  'censorship_spike',
  'claude',
  'political',
]

const values: readonly unknown[] = [...raw, ...times, ...ids, ...others]

const shortWaits = ['0', '-5', '1', '0.001', '20', 'soon', '', ' ', '12;', '1.5.5'] as const
/** A client that obeys one sends no request for an hour. */
const longWaits = [
  '3600',
  '3601',
  '86400',
  '3600000',
  '99999999999',
  '31536000000',
  '1e300',
  '1e400',
  '0x10',
  'Infinity',
  'NaN',
  ...times,
] as const
const longWaitShare = 0.08

const texts = [
  '',
  ' ',
  '\n',
  'null',
  'true',
  '0',
  '""',
  '[]',
  '{}',
  '{',
  '{"models":',
  '\uFEFF{}',
  '<!DOCTYPE html><title>Sign in</title>',
  '{"__proto__":{"models":[]},"constructor":1}',
  '{"models":[],"models":{}}',
  `${'['.repeat(50_000)}`,
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  `[${'0,'.repeat(100_000)}0]`,
  `"${'x'.repeat(1_000_000)}"`,
] as const

const contentTypes = [
  'application/json',
  'text/html',
  'application/json; charset=utf-16',
  'image/png',
  '',
  'x',
] as const

const pageFields = [
  'next',
  'next_cursor',
  'next_page',
  'next_url',
  'cursor',
  'page',
  'has_more',
  'total',
  'offset',
  'limit',
] as const
const pages = [
  '?cursor=2',
  '/v1/webhooks?page=2',
  'https://elsewhere.example/v1/webhooks',
  'http://[::1',
  '//elsewhere.example',
  '..',
  -1,
  0,
  2,
  1e300,
  true,
  '',
] as const

/** An answer that no service should give; `true` is what it would have answered. */
export function absurdAnswer(random: Chance, given: { status: number; text: string }): Response {
  const kind = random()
  if (kind < 0.5) return answer(random, 200, mangledText(random, given.text))
  if (kind < 0.6) return answer(random, 200, oneOf(random, texts))
  const status = oneOf(random, statuses)
  const text = random() < 0.5 ? errorText(random) : oneOf(random, [...texts, given.text])
  return answer(random, status, text)
}

/** A delivery as it is documented, or nearly. */
export function absurdDelivery(random: Chance, documented: object): string {
  return random() < 0.1 ? oneOf(random, texts) : unquoted(JSON.stringify(mangled(random, documented, 0.2)))
}

function answer(random: Chance, status: number, text: string): Response {
  const headers = new Headers()
  headers.set('content-type', random() < 0.8 ? 'application/json' : oneOf(random, contentTypes))
  const maybe = (name: string, list: readonly [string, ...string[]], share: number) => {
    if (random() < share) headers.set(name, oneOf(random, list))
  }
  maybe('retry-after', random() < longWaitShare ? longWaits : shortWaits, 0.6)
  maybe('date', [times[0] ?? '', ...times, 'Sat, 21 Nov 2026 15:05:09 GMT'], 0.5)
  maybe(
    'link',
    ['<?page=2>; rel="next"', '<..>; rel=next', '<https://elsewhere.example>; rel="next"', '<<>>;;rel'],
    0.1,
  )
  maybe(
    'location',
    ['..', 'https://elsewhere.example', 'http://[', ''],
    status >= 300 && status < 400 ? 0.8 : 0,
  )
  maybe('x-ratelimit-remaining', ['-1', '1e300', 'NaN'], 0.1)
  maybe('www-authenticate', ['Bearer error="invalid_token"', 'Basic'], 0.1)
  const body = [204, 205, 304].includes(status) ? null : text
  return new Response(body, { status, headers })
}

function errorText(random: Chance): string {
  const long = [3.6e6, 1e300, ...raw, ...longWaits] as const
  const wait = oneOf<unknown>(random, random() < longWaitShare ? long : [0, -1, 2.5, {}, null, ...shortWaits])
  const code = oneOf<unknown>(random, ['RATE_LIMIT_EXCEEDED', '', null, 12, '\u202e'])
  const error = {
    code,
    message: oneOf<unknown>(random, ['No.', 'x'.repeat(100_000), null, '\u0000\r\n']),
    retry_after: wait,
  }
  return unquoted(JSON.stringify(random() < 0.8 ? { error } : mangled(random, { error }, 0.4)))
}

function mangledText(random: Chance, text: string): string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return text
  }
  const changed = mangled(random, value, between(random, 0.01, 0.3))
  const isPaged = typeof changed === 'object' && changed !== null && random() < 0.3
  const paged = isPaged ? { ...changed, [oneOf(random, pageFields)]: oneOf<unknown>(random, pages) } : changed
  return unquoted(JSON.stringify(paged) ?? '')
}

function mangled(random: Chance, value: unknown, share: number): unknown {
  if (random() < share / 4) return values[Math.floor(random() * values.length)]
  if (Array.isArray(value)) {
    const list = value.map((one) => mangled(random, one, share))
    if (random() < share) return [...list, ...list]
    return random() < share ? list.slice(0, Math.floor(random() * list.length)) : list
  }
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).flatMap(([name, one]) => {
      if (random() < share / 4) return []
      return [
        [
          random() < share / 8 ? oneOf(random, ['__proto__', '', 'id']) : name,
          mangled(random, one, share),
        ] as const,
      ]
    })
    return Object.fromEntries(fields)
  }
  return random() < share ? values[Math.floor(random() * values.length)] : value
}

/** Numbers that `JSON.stringify` cannot write. */
function unquoted(text: string): string {
  return text.replace(/"§([^"]*)§"/g, '$1').replaceAll('§', '')
}
