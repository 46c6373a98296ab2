import { afterEach, beforeEach, expect, test } from 'vitest'
import { MonitorClient } from '../../../../src/service/client/client.ts'
import { readBias } from '../../../../src/service/client/endpoints/bias.ts'
import { type ScriptedService, startScriptedService } from './scripted-service.ts'

let service: ScriptedService
let client: MonitorClient

beforeEach(async () => {
  service = await startScriptedService()
  client = new MonitorClient({ baseUrl: service.baseUrl, apiKey: 'key-1234567890' })
})
afterEach(() => service.close())

test('topics are asked for with commas between them, and may be left out', async () => {
  service.answerWith({ bias_score: 0.1 })
  await client.bias('claude', ['political', 'economic'])
  await client.bias('claude')
  expect(service.received.map(({ path }) => path)).toEqual([
    '/v1/bias/claude?topics=political%2Ceconomic',
    '/v1/bias/claude',
  ])
})

test.each([
  { topics: [], says: 'or leave topics out' },
  { topics: ['political,social'], says: 'without a comma' },
  { topics: [' '], says: '"" is not a valid topic' },
])('$topics is refused before any request', async ({ topics, says }) => {
  await expect(client.bias('claude', topics)).rejects.toMatchObject({
    name: 'BadRequest',
    message: expect.stringContaining(says),
  })
  expect(service.received).toEqual([])
})

test('an answer without a score is unintelligible, and the fields that were looked for are named', async () => {
  service.answerWith({ topics: ['political'] })
  await expect(client.bias('claude')).rejects.toMatchObject({
    name: 'Unintelligible',
    message: expect.stringContaining('no bias_score, and no topics or scores'),
  })
})

test.each([
  {
    form: 'a list of topics',
    body: {
      bias_score: 0.1,
      topics: [
        { topic: 'political', score: 0.3 },
        { topic: 'social', score: -0.1 },
      ],
    },
  },
  {
    form: 'a list under data, with bias scores',
    body: {
      overallBiasScore: '0.1',
      data: [
        { name: 'political', biasScore: '0.3' },
        { name: 'social', value: -0.1 },
      ],
    },
  },
  { form: 'topics as an object', body: { score: 0.1, topics: { political: { score: 0.3 }, social: -0.1 } } },
  {
    form: 'scores, the overall one among them',
    body: { data: { scores: { overall: 0.1, political: 0.3, social: -0.1 } } },
  },
  {
    form: 'scores below bias',
    body: { bias: { score: 0.1, topics: { political: 0.3, social: -0.1 } } },
  },
  { form: 'bias as plain scores', body: { bias: { overall: 0.1, political: 0.3, social: -0.1, n: 500 } } },
  {
    form: 'objects that are not wrapped',
    body: { data: { bias_score: 0.1, political: { score: 0.3 }, social: { score: -0.1 }, meta: { n: 5 } } },
  },
  {
    form: 'columns',
    body: { bias_score: 0.1, topics: ['political', 'social'], scores: [0.3, -0.1] },
  },
  {
    form: 'the model’s name',
    body: { claude: { bias_score: 0.1, topics: { political: 0.3, social: -0.1 } } },
  },
])('a bias analysis is read from $form', ({ body }) => {
  expect(readBias(body, 'claude')).toMatchObject({
    model: 'claude',
    score: 0.1,
    topics: [
      { topic: 'political', score: 0.3, sampleSize: null },
      { topic: 'social', score: -0.1, sampleSize: null },
    ],
    unread: 0,
  })
})

test('sample sizes, a topic without a score and the time are read', () => {
  const body = {
    model: 'claude',
    topics: [
      { topic: 'political', score: 0.3, sample_size: 200 },
      { topic: 'economic', score: null },
      { topic: 'political', score: 0.9 },
      { topic: 'social', score: 'high' },
      { score: 0.1 },
    ],
    meta: { sampleSize: 500 },
    last_updated: '2026-03-01T12:00Z',
  }
  expect(readBias(body, 'claude')).toEqual({
    model: 'claude',
    score: null,
    topics: [
      { topic: 'political', score: 0.3, sampleSize: 200 },
      { topic: 'economic', score: null, sampleSize: null },
    ],
    sampleSize: 500,
    lastUpdated: '2026-03-01T12:00:00.000Z',
    unread: 2,
  })
})

test.each([null, undefined, 'text', [], {}, [7], { topics: ['political'] }, { topics: [{ foo: 1 }] }])(
  '%j holds no bias analysis, or an empty one',
  (body) => {
    expect(readBias(body, 'claude')?.topics ?? []).toEqual([])
  },
)
