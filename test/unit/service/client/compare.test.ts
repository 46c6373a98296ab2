import { afterEach, beforeEach, expect, test } from 'vitest'
import { MonitorClient } from '../../../../src/service/client/client.ts'
import { readComparison } from '../../../../src/service/client/endpoints/compare.ts'
import { type ScriptedService, startScriptedService } from './scripted-service.ts'

let service: ScriptedService
let client: MonitorClient

beforeEach(async () => {
  service = await startScriptedService()
  client = new MonitorClient({ baseUrl: service.baseUrl, apiKey: 'key-1234567890' })
})
afterEach(() => service.close())

const claude = { model: 'claude', version: '4.5', metrics: { overall_refusal_rate: 0.1, bias_score: 0.2 } }
const gemini = { model: 'gemini', version: '3.0', metrics: { overall_refusal_rate: 0.2, bias_score: -0.1 } }

test('models are asked for with commas between them, each once, whether known or new', async () => {
  service.answerWith([claude])
  const read = await client.compare(['claude', ' new-model ', 'claude'])
  expect(service.received[0]?.path).toBe('/v1/monitoring/compare?models=claude%2Cnew-model')
  expect(read.missing).toEqual(['new-model'])
})

test.each([
  { models: [], says: 'Name one or more' },
  { models: ['claude', ''], says: '"" is not a valid model' },
  { models: ['claude,gemini'], says: 'without a comma' },
])('$models is refused before any request', async ({ models, says }) => {
  await expect(client.compare(models)).rejects.toMatchObject({
    name: 'BadRequest',
    message: expect.stringContaining(says),
  })
  expect(service.received).toEqual([])
})

test('an answer without models is unintelligible, and the fields that were looked for are named', async () => {
  service.answerWith({ models: ['claude', 'gemini'] })
  await expect(client.compare(['claude'])).rejects.toMatchObject({
    name: 'Unintelligible',
    message: expect.stringContaining('no list of metrics with model'),
  })
})

test.each([
  { form: 'a bare list', body: [claude, gemini] },
  { form: 'a list under data', body: { data: [claude, gemini], sample_size: 500 } },
  { form: 'a list under models, wrapped', body: { data: { models: [claude, gemini] } } },
  {
    form: 'a list that names models by id',
    body: [claude, gemini].map(({ model: id, ...rest }) => ({ id, ...rest })),
  },
  {
    form: 'an object with a model’s metrics under its name',
    body: { data: { claude: { version: '4.5', ...claude.metrics }, gemini }, last_updated: '2026-03-01' },
  },
  {
    form: 'an object of models beside the overall rate of all',
    body: { models: { claude, gemini }, overall: { overall_refusal_rate: 0.15 } },
  },
  {
    form: 'an object with the models under each metric',
    body: {
      models: ['claude', 'gemini'],
      metrics: {
        overall_refusal_rate: { claude: 0.1, gemini: '0.2' },
        bias_score: { claude: 0.2, gemini: -0.1 },
      },
      versions: { claude: '4.5', gemini: '3.0' },
    },
  },
  {
    form: 'lists in the order of the models, in camelCase',
    body: {
      models: ['claude', 'gemini'],
      data: { overallRefusalRate: [0.1, 0.2], biasScore: [0.2, -0.1], version: ['4.5', '3.0'] },
    },
  },
])('a comparison is read from $form', ({ body }) => {
  const read = readComparison(body, ['claude', 'gemini'])
  expect(read).toMatchObject({
    models: [
      {
        model: 'claude',
        version: '4.5',
        overallRefusalRate: 0.1,
        politicalRefusalRate: null,
        biasScore: 0.2,
      },
      {
        model: 'gemini',
        version: '3.0',
        overallRefusalRate: 0.2,
        politicalRefusalRate: null,
        biasScore: -0.1,
      },
    ],
    missing: [],
    unread: 0,
  })
  expect(read?.models).toHaveLength(2)
})

test('the metrics of the only model that was asked for are a comparison', () => {
  const { model: _, ...rest } = claude
  expect(readComparison({ data: rest }, ['claude'])).toMatchObject({
    models: [{ model: 'claude' }],
    missing: [],
  })
})

test('a requested model without an answer is missing; upper and lower case count as the same', () => {
  const read = readComparison([{ ...claude, model: 'Claude' }, gemini], ['claude', 'qwen', 'gemini'])
  expect(read?.missing).toEqual(['qwen'])
})

test('a model that comes twice counts once, and one that cannot be read is counted', () => {
  const read = readComparison([claude, { ...claude, version: '9' }, { model: 'qwen' }, 7], ['claude'])
  expect(read).toMatchObject({ models: [{ model: 'claude', version: '4.5' }], unread: 2 })
  expect(read?.models).toHaveLength(1)
})

test('sample size and time of the whole are read from beside the models', () => {
  const read = readComparison({ data: [claude], meta: { n: 500, last_updated: 1_772_323_200 } }, ['claude'])
  expect(read).toMatchObject({ sampleSize: 500, lastUpdated: '2026-03-01T00:00:00.000Z' })
})

test('an empty list leaves every model missing', () => {
  expect(readComparison({ models: [] }, ['claude'])).toMatchObject({ models: [], missing: ['claude'] })
})

test.each([null, undefined, 'text', {}, [7], [{ foo: 1 }], { data: { claude: 'gone' } }, { claude: {} }])(
  '%j holds no comparison',
  (body) => {
    expect(readComparison(body, ['claude'])).toBeUndefined()
  },
)
