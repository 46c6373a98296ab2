import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readDelivery } from '../../../src/event/delivery.ts'

const how = { source: 'webhook', receivedAt: '2026-11-21T15:05:09.000Z' } as const

const documented = {
  id: 'evt_8c1',
  type: 'censorship_spike',
  model: 'claude',
  data: { category: 'political', delta: '+12pp', detected_at: '2026-11-21T15:05:00Z' },
  methodology: 'https://monitor.example/methodology',
}

function read(payload: unknown) {
  return readBytes(Buffer.from(JSON.stringify(payload)))
}

function readBytes(body: Uint8Array) {
  return readDelivery(body, how)
}

function hashId(body: Uint8Array): string {
  return `body_${createHash('sha256').update(body).digest('hex')}`
}

/** The one row about a field, or undefined where it is as documented. */
function problem(event: ReturnType<typeof readDelivery>, field: string): string | undefined {
  const rows = event.unrecognised.filter((row) => row.field === field)
  expect(rows.length).toBeLessThan(2)
  return rows[0]?.problem
}

test('a documented delivery is read in full and has nothing unrecognised', () => {
  expect(read(documented)).toEqual({
    kind: 'alert',
    id: 'evt_8c1',
    type: 'censorship_spike',
    model: 'claude',
    category: 'political',
    delta: 12,
    detectedAt: '2026-11-21T15:05:00.000Z',
    methodology: 'https://monitor.example/methodology',
    ...how,
    content: expect.stringMatching(/^[0-9a-f]{32}$/),
    unrecognised: [],
    figures: null,
    sameAs: null,
    body: { encoding: 'utf8', text: JSON.stringify(documented) },
  })
})

test('fields that are not documented change nothing', () => {
  const event = read({ ...documented, extra: [1], data: { ...documented.data, sample_size: 500 } })
  expect(event).toMatchObject({ id: 'evt_8c1', delta: 12, unrecognised: [] })
})

describe('a bad field leaves the others readable', () => {
  const fields = [
    ['id', { ...documented, id: 12 }, 'id', hashId(Buffer.from(JSON.stringify({ ...documented, id: 12 })))],
    ['type', { ...documented, type: {} }, 'type', null],
    ['model', { ...documented, model: ['claude'] }, 'model', null],
    ['category', { ...documented, data: { ...documented.data, category: ' ' } }, 'category', null],
    ['delta', { ...documented, data: { ...documented.data, delta: 'a lot' } }, 'delta', null],
    [
      'detected_at',
      { ...documented, data: { ...documented.data, detected_at: 'today' } },
      'detectedAt',
      null,
    ],
    ['methodology', { ...documented, methodology: 7 }, 'methodology', null],
  ] as const
  test.each(fields)('%s', (field, payload, property, value) => {
    const event = read(payload)
    expect(event.unrecognised.map((row) => row.field)).toEqual([field])
    expect(event).toEqual({
      ...read(documented),
      [property]: value,
      unrecognised: event.unrecognised,
      content: event.content,
      body: { encoding: 'utf8', text: JSON.stringify(payload) },
    })
  })
})

test('order and white space don’t change what a delivery says; any other difference does', () => {
  const { data, ...rest } = documented
  const turned = readDelivery(Buffer.from(JSON.stringify({ data, ...rest }, null, 2)), how)
  expect(turned.content).toBe(read(documented).content)
  expect(read({ ...documented, data: { ...data, delta: '+13pp' } }).content).not.toBe(turned.content)
})

test('every field that is missing is null and says so', () => {
  const event = read({})
  const { id, type, model, category, delta, detectedAt, methodology } = event
  expect({ type, model, category, delta, detectedAt, methodology }).toEqual({
    type: null,
    model: null,
    category: null,
    delta: null,
    detectedAt: null,
    methodology: null,
  })
  expect(id).toBe(hashId(Buffer.from('{}')))
  expect(event.unrecognised).toEqual([
    { field: 'id', problem: 'missing; the hash of the body stands for it' },
    { field: 'type', problem: 'missing' },
    { field: 'model', problem: 'missing' },
    { field: 'category', problem: 'missing' },
    { field: 'delta', problem: 'missing' },
    { field: 'detected_at', problem: 'missing' },
    { field: 'methodology', problem: 'missing' },
  ])
})

test.each([null, 'x', 5, [documented.data]])('data that is %j takes only its own fields along', (data) => {
  const event = read({ ...documented, data })
  expect(event).toMatchObject({
    id: 'evt_8c1',
    model: 'claude',
    category: null,
    delta: null,
    detectedAt: null,
  })
  expect(event.unrecognised.map((row) => row.field)).toEqual(['category', 'delta', 'detected_at'])
})

describe('a body that is not an object is kept whole, under the hash of its bytes', () => {
  test.each([
    ['', 'empty'],
    ['hello', 'not JSON'],
    ['{"id":"evt_1"', 'not JSON'],
    ['{"id":"evt_1"}{"id":"evt_2"}', 'not JSON'],
    ['null', 'not a JSON object'],
    ['7', 'not a JSON object'],
    ['"evt_1"', 'not a JSON object'],
    [JSON.stringify([documented]), 'not a JSON object'],
  ])('%j', (text, why) => {
    const event = readBytes(Buffer.from(text))
    expect(problem(event, 'body')).toBe(why)
    expect(event).toMatchObject({ id: hashId(Buffer.from(text)), body: { encoding: 'utf8', text } })
  })
})

describe('names', () => {
  test.each(['Claude', ' CLAUDE '])('%j is the documented model', (model) => {
    expect(read({ ...documented, model })).toMatchObject({ model: 'claude', unrecognised: [] })
  })

  test('one that is not documented is kept as written and marked', () => {
    const event = read({ ...documented, type: 'Model_Retired', model: 'Llama 5' })
    expect(event).toMatchObject({ type: 'Model_Retired', model: 'Llama 5' })
    expect(event.unrecognised).toEqual([
      { field: 'type', problem: 'not one of policy_change, censorship_spike' },
      { field: 'model', problem: 'not one of chatgpt, claude, gemini, mistral, qwen' },
    ])
  })

  test('any category is as documented', () => {
    expect(read({ ...documented, data: { ...documented.data, category: 'medicine' } })).toMatchObject({
      category: 'medicine',
      unrecognised: [],
    })
  })

  test('a long one is cut between characters and marked', () => {
    const event = read({ ...documented, model: '\u{1F58D}'.repeat(201) })
    expect(event.model).toBe('\u{1F58D}'.repeat(200))
    expect(problem(event, 'model')).toMatch(/longer than 200 characters/)
  })

  test('half a character is replaced, so that what is kept is text everywhere', () => {
    const event = readBytes(Buffer.from('{"id":"evt_1","model":"a\\ud800b"}'))
    expect(event.model).toBe('a\uFFFDb')
  })

  test('names that JavaScript objects are born with are only names', () => {
    expect(read({ ...documented, type: 'constructor', model: '__proto__' })).toMatchObject({
      type: 'constructor',
      model: '__proto__',
    })
    const event = readBytes(
      Buffer.from(
        '{"__proto__":{"id":"evt_1","type":"policy_change"},"data":{"__proto__":{"delta":"+1pp"}}}',
      ),
    )
    expect(event).toMatchObject({ type: null, delta: null })
    expect(event.id).toMatch(/^body_/)
  })
})

describe('the id', () => {
  test.each(['8c1', '...', 'ntf-2', 'évt_1', 'x'.repeat(200)])(
    '%.20j is taken as given and marked for its prefix',
    (id) => {
      const event = read({ ...documented, id })
      expect(event.id).toBe(id)
      expect(problem(event, 'id')).toBe('does not begin with evt_')
    },
  )

  test.each([
    '',
    '.',
    '..',
    'evt 1',
    ' evt_1',
    'evt_\n',
    'evt_\u0000',
    'evt_\u202e1',
    'evt_\ufffd',
    'x'.repeat(201),
  ])('%.20j gives way to the hash of the body', (id) => {
    const event = read({ ...documented, id })
    expect(event.id).toBe(hashId(Buffer.from(JSON.stringify({ ...documented, id }))))
    expect(problem(event, 'id')).toMatch(/the hash of the body stands for it$/)
  })

  test.each([
    'poll_1',
    'ntc_0a1b',
    `body_${'0'.repeat(64)}`,
    'sum_1763730000000',
    'test_1',
    'ext_1',
    'evt_1~2',
    `evt_1~${'a'.repeat(32)}`,
    'evt_1-again-mi8k2j',
  ])('%.20j has the form of our own, and is kept under another', (id) => {
    const event = read({ ...documented, id })
    expect(event.id).toMatch(/^ext_[\da-f]{32}$/)
    expect(event.id).toBe(read({ ...documented, id, model: 'gemini' }).id)
    expect(event.id).not.toBe(read({ ...documented, id: `${id}0` }).id)
    expect(problem(event, 'id')).toBe(`“${id}” has the form of Bluepencil’s own ids; kept under another`)
  })

  test('of one that is given twice the last counts, as JSON.parse has it', () => {
    expect(readBytes(Buffer.from('{"id":"evt_1","id":"evt_2"}')).id).toBe('evt_2')
  })

  test('two ids that differ only in bytes that are not text stay two events', () => {
    const [one, two] = [0xe4, 0xf6].map((byte) =>
      readBytes(Buffer.from([...Buffer.from('{"id":"evt_'), byte, 0x22, 0x7d])),
    )
    expect(one?.id).toMatch(/^body_/)
    expect(two?.id).not.toBe(one?.id)
  })
})

describe('the bytes', () => {
  test('a byte order mark is kept and read past', () => {
    const body = Buffer.from(`\uFEFF${JSON.stringify(documented)}`)
    const event = readBytes(body)
    expect(event).toMatchObject({ id: 'evt_8c1', unrecognised: [] })
    expect(Buffer.from(event.body.text)).toEqual(body)
  })

  test('what is not UTF-8 is kept as base64, and read as far as it goes', () => {
    const body = Buffer.from(
      JSON.stringify({ ...documented, data: { ...documented.data, category: 'société' } }),
      'latin1',
    )
    const event = readBytes(body)
    expect(event).toMatchObject({ id: 'evt_8c1', category: 'soci\uFFFDt\uFFFD', delta: 12 })
    expect(event.unrecognised).toEqual([{ field: 'body', problem: 'not valid UTF-8' }])
    expect(event.body).toEqual({ encoding: 'base64', text: body.toString('base64') })
  })

  test('a body that is a part of a larger buffer is read alone', () => {
    const larger = Buffer.concat([Buffer.from('xx'), Buffer.from([0xff, 0xfe]), Buffer.from('yy')])
    expect(readBytes(larger.subarray(2, 4)).body).toEqual({ encoding: 'base64', text: '//4=' })
  })

  test.each([
    ['open brackets', '['.repeat(262_144)],
    ['nested lists', '['.repeat(131_072) + ']'.repeat(131_072)],
    ['nested objects', `${'{"data":'.repeat(29_000)}0${'}'.repeat(29_000)}`],
    ['a nested field', `{"id":"evt_1","data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ])('256 KiB of %s are read without harm', (_what, text) => {
    expect(readBytes(Buffer.from(text)).body.text).toBe(text)
  })
})

describe('the time of detection', () => {
  test.each([
    ['2026-11-21T15:05:00Z', '2026-11-21T15:05:00.000Z'],
    ['2026-11-21t15:05:00.5z', '2026-11-21T15:05:00.500Z'],
    ['2026-11-21T15:05:00.123456789123Z', '2026-11-21T15:05:00.123Z'],
    ['2026-11-21T16:05:00+01:00', '2026-11-21T15:05:00.000Z'],
    ['2026-11-21T10:05:00,25-0500', '2026-11-21T15:05:00.250Z'],
    ['2026-11-21 15:05Z', '2026-11-21T15:05:00.000Z'],
    ['20261121T150500Z', '2026-11-21T15:05:00.000Z'],
  ])('%s is %s', (written, iso) => {
    const event = read({ ...documented, data: { ...documented.data, detected_at: written } })
    expect(event).toMatchObject({ detectedAt: iso, unrecognised: [] })
  })

  test.each([
    ['2026-11-21T15:05:00', '2026-11-21T15:05:00.000Z'],
    ['2026-11-21', '2026-11-21T00:00:00.000Z'],
  ])('%s has no zone: it is read as UTC and marked', (written, iso) => {
    const event = read({ ...documented, data: { ...documented.data, detected_at: written } })
    expect(event.detectedAt).toBe(iso)
    expect(problem(event, 'detected_at')).toBe('without a time zone; read as UTC')
  })

  test.each([
    '',
    'today',
    '21.11.2026',
    '2026-02-30T00:00:00Z',
    '2026-11-21T15:05:00[Europe/Berlin]',
    '1795273500',
    `2026-11-21T15:05:00.${'0'.repeat(100_000)}Z`,
  ])('%.30j is not a date', (written) => {
    const event = read({ ...documented, data: { ...documented.data, detected_at: written } })
    expect(event.detectedAt).toBeNull()
    expect(problem(event, 'detected_at')).toMatch(/^(empty|not a date)$/)
  })

  test.each([
    ['1970-01-01T00:00:00Z', 'before the year 2000'],
    ['2026-11-22T15:05:10Z', 'more than a day after it was received'],
    ['+275760-09-13T00:00:00Z', 'more than a day after it was received'],
    ['1999-12-31', 'without a time zone; read as UTC; before the year 2000'],
  ])('%s is kept and marked as absurd', (written, why) => {
    const event = read({ ...documented, data: { ...documented.data, detected_at: written } })
    expect(event.detectedAt).not.toBeNull()
    expect(problem(event, 'detected_at')).toBe(why)
  })

  test('a clock that is a day ahead is no reason for a mark', () => {
    const event = read({ ...documented, data: { ...documented.data, detected_at: '2026-11-22T15:05:09Z' } })
    expect(event.unrecognised).toEqual([])
  })
})

describe('the size of the change', () => {
  test('without a sign it is a rise, and marked', () => {
    const event = read({ ...documented, data: { ...documented.data, delta: ' 12pp' } })
    expect(event.delta).toBe(12)
    expect(problem(event, 'delta')).toBe('without a sign; read as a rise')
  })

  test('no change needs no sign', () => {
    expect(read({ ...documented, data: { ...documented.data, delta: '0pp' } }).unrecognised).toEqual([])
  })

  test('a number is not a text', () => {
    const event = read({ ...documented, data: { ...documented.data, delta: 12 } })
    expect(event.delta).toBeNull()
    expect(problem(event, 'delta')).toBe('not a text')
  })
})

describe('the methodology', () => {
  test('it is an address as URL writes it', () => {
    const event = read({ ...documented, methodology: ' HTTPS://Monitor.Example/a b"c ' })
    expect(event).toMatchObject({ methodology: 'https://monitor.example/a%20b%22c', unrecognised: [] })
  })

  test.each([
    ['/methodology', 'not an address'],
    ['https://', 'not an address'],
    ['javascript:alert(1)', 'not an http or https address'],
    ['data:text/html,x', 'not an http or https address'],
    ['https://someone@monitor.example/', 'an address with a user name or password'],
    ['https://:secret@monitor.example/', 'an address with a user name or password'],
    [`https://monitor.example/${'x'.repeat(2048)}`, 'longer than 2048 characters'],
  ])('%.40s is not kept', (methodology, why) => {
    const event = read({ ...documented, methodology })
    expect(event.methodology).toBeNull()
    expect(problem(event, 'methodology')).toBe(why)
  })
})
