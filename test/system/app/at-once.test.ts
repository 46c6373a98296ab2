import { expect, test } from 'vitest'
import { minute } from '../faults/desk.ts'
import { openAllWays } from './all-ways.ts'

test('by each way that init writes, twelve alerts of several models and sizes are twelve messages within seconds', {
  timeout: 120_000,
}, async () => {
  const { desk, read } = await openAllWays()
  const reportOf = (model: string, category: string, delta: string) => ({ model, data: { category, delta } })
  const came = [
    reportOf('claude', 'political', '+12pp'),
    reportOf('chatgpt', 'political', '+3pp'),
    reportOf('gemini', 'safety', '-7pp'),
    reportOf('gemini', 'political', '+45pp'),
    reportOf('chatgpt', 'political', '-4pp'),
    reportOf('mistral', 'social', '-9pp'),
    reportOf('qwen', 'political', '+16pp'),
    reportOf('gemini', 'political', '+44pp'),
    reportOf('mistral', 'safety', '+14pp'),
    reportOf('qwen', 'political', '+21pp'),
    reportOf('claude', 'safety', '+2pp'),
    reportOf('claude', 'political', '+11pp'),
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
