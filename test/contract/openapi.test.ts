import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { contractFiles } from '../../src/service/sandbox/contract/files.ts'
import { openApi } from '../../src/service/sandbox/contract/openapi.ts'
import { ServiceDialect } from '../../src/service/sandbox/dialect.ts'
import { checkRows } from '../support/check-rows.ts'
import { startReceiver } from '../system/sandbox/receiver.ts'
import { startWithClock } from '../system/sandbox/started.ts'
import { lint } from './lint.ts'

const origin = 'http://127.0.0.1:4010'
const usual = openApi(ServiceDialect.parse({}), origin)

test('each contract file is as its schemas are; npm run contracts makes it so', () =>
  checkRows(contractFiles(), ([file, text]) => {
    expect(readFileSync(file, 'utf8')).toBe(text)
  }))

test('the contract passes the linter, which finds what is wrong', async () => {
  expect(await lint(usual, 'default')).toEqual([])
  const { responses: _, ...schemas } = usual.components
  expect(await lint({ ...usual, components: schemas }, 'broken')).not.toEqual([])
})

describe('the contract of the specification', () => {
  test('has its eleven endpoints, and the token endpoint beside them', () => {
    const operations = Object.entries(usual.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(operations.filter((name) => !name.startsWith('SERVERS')).toSorted()).toEqual([
      'DELETE /webhooks/{id}',
      'GET /bias/{model}',
      'GET /monitoring/compare',
      'GET /monitoring/{model}/history',
      'GET /monitoring/{model}/metrics',
      'GET /research/datasets',
      'GET /research/datasets/{dataset_id}/download',
      'GET /research/publications',
      'GET /webhooks',
      'GET /webhooks/{id}',
      'POST /oauth/token',
      'POST /webhooks',
    ])
  })

  test('gives each endpoint the errors that it can have', () => {
    const errors = Object.entries(usual.paths)
      .filter(([path]) => path !== '/oauth/token')
      .flatMap(([path, item]) =>
        Object.values(item).map(
          ({ responses }) => `${path}: ${Object.keys(responses).filter((status) => Number(status) >= 400)}`,
        ),
      )
    expect(errors.toSorted()).toEqual([
      '/bias/{model}: 400,401,404,429,503',
      '/monitoring/compare: 400,401,404,429,503',
      '/monitoring/{model}/history: 400,401,404,429,503',
      '/monitoring/{model}/metrics: 400,401,404,429,503',
      '/research/datasets/{dataset_id}/download: 400,401,404,416,429,503',
      '/research/datasets: 401,429,503',
      '/research/publications: 400,401,429,503',
      '/webhooks/{id}: 400,401,403,404,429,503',
      '/webhooks/{id}: 400,401,403,404,429,503',
      '/webhooks: 400,401,403,429,503',
      '/webhooks: 401,403,429,503',
    ])
  })

  test('names the values that the specification gives', () => {
    expect(usual.paths['/monitoring/{model}/history']?.get?.parameters).toMatchObject([
      { name: 'model', schema: { enum: ['chatgpt', 'claude', 'gemini', 'mistral', 'qwen'] } },
      { name: 'period', schema: { enum: ['7d', '30d', '90d', '1y'] } },
      { name: 'category', schema: { enum: ['political', 'safety', 'social', 'all'] } },
    ])
    expect(usual.components.responses.TooManyRequests?.content).toMatchObject({
      'application/json': {
        schema: {
          properties: { error: { properties: { code: { const: 'RATE_LIMIT_EXCEEDED' } } } },
        },
      },
    })
    expect(usual.components.securitySchemes).toMatchObject({
      key: {
        scheme: 'bearer',
        'x-requests-per-hour': { free: 100, researcher: 1_000, pro: 10_000 },
      },
      oauth: { flows: { clientCredentials: { scopes: { 'webhooks.write': expect.any(String) } } } },
    })
  })
})

test('the schema of the event accepts what the sandbox delivers, and nothing less', async () => {
  const schema: unknown = JSON.parse(contractFiles().get('docs/internals/contracts/event.schema.json') ?? '')
  const validate = new Ajv2020().compile(Object(schema))
  const receiver = await startReceiver()
  const { sandbox, subscribe } = await startWithClock()
  await subscribe(receiver.url)
  sandbox.fire({})
  await receiver.until(1)
  const event: unknown = JSON.parse(String(receiver.received[0]?.body))
  expect(validate(event)).toBe(true)
  expect(Object(schema).examples.every((example: unknown) => validate(example))).toBe(true)
  expect(validate({ ...Object(event), data: {} })).toBe(false)
})

test('a sandbox gives the contract of its own dialect and address', async () => {
  const { control, sandbox } = await startWithClock({ dialect: { rates: 'percent', pages: 'cursor' } })
  const { status, body } = await control('GET', '/openapi.json')
  const dialect = ServiceDialect.parse({ rates: 'percent', pages: 'cursor' })
  expect({ status, body }).toEqual({ status: 200, body: openApi(dialect, sandbox.origin) })
})
