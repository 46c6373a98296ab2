import { expect, test } from 'vitest'
import { minute } from '../faults/desk.ts'
import { openAllWays } from './all-ways.ts'

test('by each way that init writes, twelve alerts of several models and sizes are twelve messages within seconds', {
  timeout: 120_000,
}, async () => {
  const { desk, read } = await openAllWays()
  const said = (model: string, category: string, delta: string) => ({ model, data: { category, delta } })
  const came = [
    said('claude', 'political', '+12pp'),
    said('chatgpt', 'political', '+3pp'),
    said('gemini', 'safety', '-7pp'),
    said('gemini', 'political', '+45pp'),
    said('chatgpt', 'political', '-4pp'),
    said('mistral', 'social', '-9pp'),
    said('qwen', 'political', '+16pp'),
    said('gemini', 'political', '+44pp'),
    said('mistral', 'safety', '+14pp'),
    said('qwen', 'political', '+21pp'),
    said('claude', 'safety', '+2pp'),
    said('claude', 'political', '+11pp'),
  ]
  const ids = came.map((_, index) => `evt_${String(index).padStart(2, '0')}`)
  for (const [index, one] of came.entries()) {
    // No more than ten in ten minutes.
    if (index === 9) await desk.pass(11 * minute)
    expect(await desk.deliver(ids[index] ?? '', one)).toBe(202)
    await desk.pass(5_000)
    for (const { way, ids: there } of await read())
      expect([way, there.toSorted()]).toEqual([way, ids.slice(0, index + 1)])
  }
})
