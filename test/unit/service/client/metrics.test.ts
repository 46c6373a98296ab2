import { afterEach, beforeEach, expect, test } from 'vitest'
import { knownModels } from '../../../../src/event/event.ts'
import { MonitorClient } from '../../../../src/service/client/client.ts'
import { readMetrics } from '../../../../src/service/client/endpoints/metrics.ts'
import { Unintelligible } from '../../../../src/service/client/errors.ts'
import { modelNames } from '../../../../src/service/client/names.ts'
import { type ScriptedService, startScriptedService } from './scripted-service.ts'

let service: ScriptedService
let client: MonitorClient

beforeEach(async () => {
  service = await startScriptedService()
  client = new MonitorClient({ baseUrl: service.baseUrl, apiKey: 'key-1234567890' })
})
afterEach(() => service.close())

const documented = {
  model: 'claude',
  version: '4.5',
  metrics: { overall_refusal_rate: 0.12, political_refusal_rate: '0.31', bias_score: -0.2 },
  trend: 'rising',
  last_updated: '2026-03-01T12:00:00Z',
  sample_size: 500,
}
const none = { overall: null, political: null, safety: null, social: null }
const read = {
  model: 'claude',
  version: '4.5',
  overallRefusalRate: 0.12,
  politicalRefusalRate: 0.31,
  safetyRefusalRate: null,
  biasScore: -0.2,
  trend: 'rising',
  lastUpdated: '2026-03-01T12:00:00.000Z',
  sampleSize: 500,
  sampleSizes: none,
}

test('metrics are read, numbers in quotes too, with the model as one segment of the path', async () => {
  service.answerWith({ data: documented })
  await expect(client.metrics('a/b?c')).resolves.toEqual(read)
  expect(service.received[0]?.path).toBe('/v1/monitoring/a%2Fb%3Fc/metrics')
})

test('a date without a time of day is known as one, beside the metrics too', () => {
  const dated = { lastUpdated: '2026-03-01T00:00:00.000Z', isDateOnly: true }
  expect(readMetrics({ ...documented, last_updated: '2026-03-01' }, 'claude')).toMatchObject(dated)
  const { last_updated: _, ...bare } = documented
  expect(readMetrics({ data: [bare], meta: { updated_at: '2026-03-01' } }, 'claude')).toMatchObject(dated)
  const midnight = readMetrics({ ...documented, last_updated: '2026-03-01T00:00:00Z' }, 'claude')
  expect(midnight).not.toHaveProperty('isDateOnly')
})

test('an answer without metrics is unintelligible, and the fields that were looked for are named', async () => {
  service.answerWith({ ok: true })
  const call = client.metrics('claude')
  await expect(call).rejects.toBeInstanceOf(Unintelligible)
  await expect(call).rejects.toThrow(/no metrics with overall_refusal_rate, .*monitor\.baseUrl/)
})

test.each([
  { form: 'bare', body: { ...documented, model: 'Gemini' } },
  { form: 'beside the data', body: { model: 'gemini', data: { ...documented, model: undefined } } },
])('metrics that name another model $form are rejected, and archived for none', async ({ body }) => {
  const archived: unknown[] = []
  const { baseUrl } = service
  const archiving = new MonitorClient({ baseUrl, apiKey: 'key', onFigures: (read) => archived.push(read) })
  service.answerWith(body)
  const call = archiving.metrics('claude')
  await expect(call).rejects.toBeInstanceOf(Unintelligible)
  await expect(call).rejects.toThrow(
    /GET .*\/claude\/metrics answered with figures of gemini, not of claude\. They are not used\.$/,
  )
  expect(archived).toEqual([])
})

test('the models that an answer may name are those of events', () => {
  expect(modelNames).toEqual(knownModels)
})

test.each(['Claude 3.5', 'anthropic/claude', 'CLAUDE'])('%s is no other model than claude', async (model) => {
  service.answerWith({ ...documented, model })
  await expect(client.metrics('claude')).resolves.toMatchObject({ model, overallRefusalRate: 0.12 })
})

test.each([
  { form: 'bare', body: documented },
  { form: 'under data and the model', body: { data: { claude: documented } } },
  { form: 'alone in a list', body: { data: [documented] } },
  { form: 'with unknown fields', body: { ...documented, extra: { claude: 7 }, tags: [[]] } },
  {
    form: 'flat, in camelCase, with a number for a version and the time in seconds',
    body: {
      version: 4.5,
      overallRefusalRate: 0.12,
      politicalRefusalRate: 0.31,
      safetyRefusalRate: null,
      biasScore: '-0.2',
      trend: 'rising',
      lastUpdated: 1_772_366_400,
      sampleSize: '500',
    },
  },
  {
    form: 'with sample size and time beside the data',
    body: {
      data: { ...documented, sample_size: undefined, last_updated: undefined },
      meta: { n: 500, last_updated: documented.last_updated },
    },
  },
])('metrics are read $form', ({ body }) => {
  expect(readMetrics(body, 'claude')).toEqual(read)
})

test('the sample size of each category is read, and their sum is the whole', () => {
  const { sample_size: _, ...rest } = documented
  const body = { ...rest, meta: { sample_size: { political: 200, safety: 200, social: 100 } } }
  expect(readMetrics(body, 'claude')).toMatchObject({
    sampleSize: 500,
    sampleSizes: { overall: null, political: 200, safety: 200, social: 100 },
  })
})

test('what is no rate is null, and takes nothing else with it', () => {
  const metrics = { overall_refusal_rate: 'NaN', political_refusal_rate: -0.1, safety_refusal_rate: 101 }
  expect(readMetrics({ model: 'claude', metrics: { ...metrics, bias_score: -3 } }, 'claude')).toMatchObject({
    overallRefusalRate: null,
    politicalRefusalRate: null,
    safetyRefusalRate: null,
    biasScore: -3,
  })
})

test.each([null, undefined, 7, 'text', [], [{}], {}, { data: null }, { error: 'no' }])(
  '%j holds no metrics',
  (body) => {
    expect(readMetrics(body, 'claude')).toBeUndefined()
  },
)
