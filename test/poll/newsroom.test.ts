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
    expect.stringMatching(/Claude refuses [\d.]+ percentage points more political/),
  ])
  await newsroom.restart()
  await newsroom.pass(20 * minuteMs)
  expect(newsroom.shown('desk')).toHaveLength(1)
  expect(await newsroom.readyz()).toMatchObject({
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
