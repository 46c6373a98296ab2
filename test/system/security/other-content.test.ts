import { expect, test, vi } from 'vitest'
import { delivery, openDesk } from './desk.ts'

test('other content under a known id is answered 202, a repeat of it 200, and explain shows each', async () => {
  const desk = await openDesk()
  const detected_at = new Date().toISOString()
  const of = (delta: string) => delivery('evt_1', { data: { category: 'political', delta, detected_at } })
  for (const [body, status] of [
    [of('+12pp'), 202],
    [of('+2pp'), 202],
    [of('+2pp'), 200],
    [of('+12pp'), 200],
    [delivery('evt_1', { model: 'gemini' }), 202],
  ] as const) {
    expect(await desk.post(body)).toMatchObject({ status })
  }
  const shows = (text: string) =>
    vi.waitUntil(() => desk.serving.stdout().includes(text), { timeout: 10_000 })
  await shows('Correction: Claude’s refusal rate on political prompts rose 2 points, not 12.')
  await shows('Gemini’s refusal rate on political prompts rose 12 points.')
  await shows('The service sent 3 different events under the id evt_1')
  expect((await desk.command('explain', 'evt_1~2')).stdout).toContain('corrects evt_1')
})
