import { expect, test, vi } from 'vitest'
import { hourMs, minuteMs } from '../../system/poll/desk.ts'
import { openNewsroom } from '../../system/poll/newsroom.ts'

const change = { model: 'claude', category: 'political', delta: 25, type: 'censorship_spike' }

test('without webhooks a change leaves as a message all the same, once, also over a restart', async () => {
  const newsroom = await openNewsroom({ publicUrl: false })
  await newsroom.pass(5 * minuteMs)
  await newsroom.fire(change)
  await newsroom.pass(2 * minuteMs)
  expect(newsroom.shown('desk')).toEqual([
    expect.stringMatching(/Claude refused [\d.]+% of political prompts, up from/),
  ])
  const metrics = await newsroom.metrics()
  for (const line of [
    'bluepencil_polling_mode{mode="full"} 1',
    'bluepencil_polling_mode{mode="slow"} 0',
    'bluepencil_polling_looks_total{outcome="done"} 5',
    `bluepencil_polling_last_success_timestamp_seconds ${Date.parse('2026-03-01T09:16:47Z') / 1_000}`,
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

test('a change that came by webhook is not sent again when the figures show it', async () => {
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

test('a subscription that the service forgot is made again within half an hour', async () => {
  const newsroom = await openNewsroom({ publicUrl: true })
  await newsroom.pass(hourMs)
  await newsroom.control('DELETE', '/webhooks')
  await newsroom.pass(hourMs / 2)
  // The request is on its way by then: no more time passes.
  await vi.waitUntil(async () => (await newsroom.subscriptions()).length === 1)
  const id = await newsroom.fire({ model: 'claude', category: 'political', delta: 25 })
  expect(newsroom.sandbox.deliveries().filter(({ eventId }) => eventId === id)).toHaveLength(1)
})

// Three models are learnt and written down; on a disk that takes 20 ms to sync that alone is half a minute.
test('changes while the service was away come as one summary first, then one by one', {
  timeout: 240_000,
}, async () => {
  const models = ['claude', 'gemini', 'qwen']
  const newsroom = await openNewsroom({ publicUrl: false, models })
  await newsroom.pass(5 * minuteMs)
  await newsroom.control('POST', '/world', { down: true })
  for (const model of models) {
    await newsroom.pass(40 * minuteMs)
    await newsroom.fire({ ...change, model })
  }
  await newsroom.pass(20 * minuteMs)
  await newsroom.control('POST', '/world', { down: false })
  await newsroom.pass(10 * minuteMs)
  const [summary, ...alerts] = newsroom.shown('desk')
  expect(summary).toContain('3 changes missed since 1 Mar 2026, 09:1')
  expect(alerts.map((text) => /(\w+) refused [\d.]+%/.exec(text)?.[1])).toEqual(['Claude', 'Gemini', 'Qwen'])
  await newsroom.restart()
  await newsroom.pass(hourMs)
  expect(newsroom.shown('desk')).toHaveLength(4)
})
