import { describe, expect, test } from 'vitest'
import { ServiceDialect } from '../../src/service/sandbox/dialect.ts'
import { sign } from '../../src/service/sandbox/signature.ts'
import { breachesIn } from './judge.ts'

const dialect = ServiceDialect.parse({})
const asJson = { 'content-type': 'application/json; charset=utf-8' }
const metrics = {
  model: 'claude',
  version: '4.1',
  metrics: {
    overall_refusal_rate: 0.2,
    political_refusal_rate: 0.1,
    safety_refusal_rate: 0.4,
    bias_score: -0.1,
  },
  trend: 'rising',
  last_updated: '2026-03-01T09:00:00.000Z',
  sample_size: 500,
}

function answered(body: unknown, more: { path?: string; status?: number; headers?: object } = {}) {
  const { path = '/v1/monitoring/claude/metrics', status = 200, headers = {} } = more
  const bytes = Buffer.from(JSON.stringify(body))
  return breachesIn({
    dialect,
    method: 'GET',
    path,
    status,
    headers: { ...asJson, ...headers },
    body: bytes,
  })
}

describe('an answer', () => {
  test('that is as documented passes', () => {
    expect(answered(metrics)).toEqual([])
    const error = { error: { code: 'NOT_FOUND', message: 'There is no model x.' } }
    expect(answered(error, { status: 404, path: '/v1/monitoring/x/metrics' })).toEqual([])
    expect(answered(error, { status: 404, path: '/v1/nothing' })).toEqual([])
  })

  test.each([
    ['an undocumented field', { ...metrics, surprise: 1 }, '/ must NOT have additional properties'],
    ['a missing field', { ...metrics, sample_size: undefined }, "must have required property 'sample_size'"],
    ['another type', { ...metrics, version: 4.1 }, '/version must be string'],
    [
      'a rate in percent',
      { ...metrics, metrics: { ...metrics.metrics, overall_refusal_rate: 20 } },
      '/metrics/overall_refusal_rate must be <= 1',
    ],
    ['a time that is none', { ...metrics, last_updated: 'today' }, '/last_updated must match format'],
    ['another thing', [metrics], '/ must be object'],
  ])('with %s is a breach that names it', (_what, body, problem) => {
    expect(answered(body)).toEqual([expect.stringContaining(problem)])
  })

  test('with an undocumented status, header or type is a breach', () => {
    expect(answered(metrics, { status: 203 })).toEqual([
      'GET /v1/monitoring/claude/metrics answered 203, which is not documented: 200, 400, 401, 404, 429, 503 are.',
    ])
    expect(answered(metrics, { path: '/v1/nothing' })).toHaveLength(1)
    expect(answered(metrics, { headers: { 'x-surprise': '1' } })).toEqual([
      expect.stringContaining('The header x-surprise is not documented.'),
    ])
    expect(answered(metrics, { headers: { 'content-type': 'text/html' } })).toEqual([
      expect.stringContaining('The type text/html is not documented'),
    ])
  })

  test('without a header that it owes is a breach', () => {
    const body = { error: { code: 'UNAUTHORIZED', message: 'No key.' } }
    expect(answered(body, { status: 401 })).toEqual([
      expect.stringContaining('The header www-authenticate is missing.'),
    ])
    expect(answered(body, { status: 401, headers: { 'www-authenticate': 'Bearer' } })).toEqual([])
  })

  test('with the code of another status is a breach', () => {
    const body = { error: { code: 'NOT_FOUND', message: 'No.' } }
    expect(answered(body, { status: 400 })).toEqual([expect.stringContaining('/error/code')])
  })

  test('of several forms is measured against the one that is nearest', () => {
    const history = {
      model: 'claude',
      period: '7d',
      category: 'safety',
      history: [
        { timestamp: metrics.last_updated, version: '4.1', safety_refusal_rate: 2, sample_size: 200 },
      ],
      last_updated: metrics.last_updated,
      sample_size: 200,
    }
    expect(answered(history, { path: '/v1/monitoring/claude/history?period=7d' })).toEqual([
      expect.stringContaining('/history/0/safety_refusal_rate must be <= 1'),
    ])
  })
})

test('a delivery is held against the webhook', () => {
  const event = {
    id: 'evt_1',
    type: 'something_new',
    model: 'claude',
    data: { category: 'political', delta: '+3pp', detected_at: metrics.last_updated },
    methodology: 'https://monitor.example/methodology',
  }
  const body = Buffer.from(JSON.stringify(event))
  const headers = { 'X-Service-Signature': sign(body, 'whsec_1', dialect) }
  expect(breachesIn({ dialect, headers, body })).toEqual([])
  expect(breachesIn({ dialect, headers: {}, body })).toHaveLength(1)
  const more = Buffer.from(JSON.stringify({ ...event, surprise: 1 }))
  expect(breachesIn({ dialect, headers, body: more })).toHaveLength(1)
})
