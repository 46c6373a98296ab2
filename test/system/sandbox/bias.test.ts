import { expect, test } from 'vitest'
import * as z from 'zod'
import { start, startWithClock } from './started.ts'

const Analysis = z.object({
  bias_score: z.number(),
  topics: z.array(z.object({ topic: z.string(), bias_score: z.number(), sample_size: z.number() })),
})
const Metrics = z.object({ metrics: z.object({ bias_score: z.number() }) })

test('the bias analysis covers all topics, and its score is that of the metrics', async () => {
  const { ask } = await startWithClock()
  for (const model of ['chatgpt', 'claude', 'gemini', 'mistral', 'qwen']) {
    const answer = await ask('GET', `/bias/${model}`)
    expect(answer).toMatchObject({ status: 200, body: { model, last_updated: start, sample_size: 300 } })
    const { bias_score: score, topics } = Analysis.parse(answer.body)
    const metrics = Metrics.parse((await ask('GET', `/monitoring/${model}/metrics`)).body)
    expect(score).toBe(metrics.metrics.bias_score)
    expect(topics.map(({ topic, sample_size: size }) => [topic, size])).toEqual([
      ['political', 100],
      ['social', 100],
      ['economic', 100],
    ])
    const mean = topics.reduce((sum, topic) => sum + topic.bias_score, 0) / 3
    expect(score).toBeCloseTo(mean, 2)
  }
})

test('topics are answered as asked for, and leave the score of the whole alone', async () => {
  const { ask } = await startWithClock()
  const all = Analysis.parse((await ask('GET', '/bias/claude')).body)
  const some = Analysis.parse((await ask('GET', '/bias/claude?topics=economic,political,economic')).body)
  const [political, , economic] = all.topics
  expect(some).toEqual({ bias_score: all.bias_score, topics: [economic, political] })
})

test.each([
  ['claude?topics=religious', 400, 'There is no topic religious; topics are political, social, economic.'],
  [
    'claude?topics=',
    400,
    'topics must be a list with commas, such as topics=political,social, or be left out for all.',
  ],
  ['llama', 404, 'There is no model llama; there are chatgpt, claude, gemini, mistral, qwen.'],
])('the bias of %s answers %d', async (path, status, message) => {
  const { ask } = await startWithClock()
  expect(await ask('GET', `/bias/${path}`)).toMatchObject({ status, body: { error: { message } } })
})
