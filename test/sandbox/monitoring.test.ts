import { expect, test } from 'vitest'
import { start, startWithClock } from './started.ts'

const models = ['chatgpt', 'claude', 'gemini', 'mistral', 'qwen']

async function readAll(seed: number): Promise<unknown[]> {
  const { ask } = await startWithClock({ seed })
  const answers = await Promise.all(models.map((model) => ask('GET', `/monitoring/${model}/metrics`)))
  return answers.map((answer) => answer.body)
}

test('the metrics of each model have the documented fields', async () => {
  for (const [index, body] of (await readAll(7)).entries()) {
    expect(body).toEqual({
      model: models[index],
      version: expect.stringMatching(/^\d\.\d$/),
      metrics: {
        overall_refusal_rate: expect.any(Number),
        political_refusal_rate: expect.any(Number),
        safety_refusal_rate: expect.any(Number),
        bias_score: expect.any(Number),
      },
      trend: expect.stringMatching(/^(rising|falling|stable)$/),
      last_updated: start,
      sample_size: 500,
    })
  }
})

test('the same seed gives the same numbers, another seed others', async () => {
  expect(await readAll(7)).toEqual(await readAll(7))
  expect(await readAll(7)).not.toEqual(await readAll(8))
})

test('a model that is not monitored answers 404 and names those that are', async () => {
  const { ask } = await startWithClock()
  expect(await ask('GET', '/monitoring/llama/metrics')).toMatchObject({
    status: 404,
    body: {
      error: {
        code: 'NOT_FOUND',
        message: 'There is no model llama; there are chatgpt, claude, gemini, mistral, qwen.',
      },
    },
  })
})
