import { expect, test } from 'vitest'
import { hourMs, minuteMs } from './desk.ts'
import { openNewsroom } from './newsroom.ts'

const change = { model: 'claude', category: 'political', delta: 25, type: 'censorship_spike' }

test('without webhooks a change leaves as a message all the same, once, also over a restart', async () => {
  const newsroom = await openNewsroom({ publicUrl: false })
  await newsroom.pass(5 * minuteMs)
  await newsroom.fire(change)
  await newsroom.pass(2 * minuteMs)
  expect(newsroom.shown('desk')).toEqual([
    expect.stringMatching(/Claude now refuses more political prompts: [\d.]+ %, up [\d.]+ points from/),
  ])
  const metrics = await newsroom.metrics()
  for (const line of [
    'bluepencil_polling_mode{mode="full"} 1',
    'bluepencil_polling_mode{mode="slow"} 0',
    'bluepencil_polling_looks_total{outcome="done"} 5',
    `bluepencil_polling_last_success_timestamp_seconds ${Date.parse('2026-03-01T09:16:55Z') / 1_000}`,
  ]) {
    expect(metrics).toContain(line)
  }
  expect(metrics).toMatch(/\nbluepencil_budget_left \d/)
  await newsroom.restart()
  await newsroom.pass(20 * minuteMs)
  expect(newsroom.shown('desk')).toHaveLength(1)
  expect(newsroom.shown('ops')).toEqual([])
  expect(await newsroom.readyz()).toMatchObject({
    status: 'ready',
    polling: {
      mode: 'full',
      reason: expect.stringContaining('webhook.publicUrl is not set'),
      lastLook: expect.any(String),
    },
  })
})

test('what a delivery told of is not told again when the figures show it', async () => {
  const newsroom = await openNewsroom({ publicUrl: true })
  await newsroom.pass(5 * minuteMs)
  expect(await newsroom.readyz()).toMatchObject({
    subscription: { state: 'active' },
    polling: { mode: 'slow' },
  })
  const id = await newsroom.fire(change)
  await newsroom.pass(hourMs)
  const [reported, found, ...more] = await newsroom.alerts()
  expect(reported?.entry).toMatchObject({ id, source: 'webhook', sameAs: null })
  expect(found?.entry).toMatchObject({ source: 'poll', sameAs: id })
  expect(more).toEqual([])
  expect(newsroom.shown('desk')).toHaveLength(1)
})

test('what changed while the service was away is announced to readers by one summary, then told change by change', async () => {
  const newsroom = await openNewsroom({ publicUrl: false })
  await newsroom.pass(5 * minuteMs)
  await newsroom.control('POST', '/world', { down: true })
  const changed = ['claude', 'gemini', 'qwen']
  for (const model of changed) {
    await newsroom.pass(40 * minuteMs)
    await newsroom.fire({ ...change, model })
  }
  await newsroom.pass(20 * minuteMs)
  await newsroom.control('POST', '/world', { down: false })
  await newsroom.pass(10 * minuteMs)
  const [summary, ...alerts] = newsroom.shown('desk')
  expect(summary).toContain('3 changes were missed since 1 Mar 2026, 09:1')
  expect(alerts.map((text) => /(\w+) now refuses/.exec(text)?.[1])).toEqual(['Claude', 'Gemini', 'Qwen'])
  await newsroom.restart()
  await newsroom.pass(hourMs)
  expect(newsroom.shown('desk')).toHaveLength(4)
})
