import { expect, test } from 'vitest'
import { alert } from '../../support/fakes/events.ts'
import { hourMs, minuteMs, openDesk } from './desk.ts'

const change = { model: 'claude', category: 'political', delta: 25 }
const subscribed = { poll: { models: ['claude'], subscription: () => ({ state: 'active' }) } }

test('while webhooks are healthy the figures are a cross-check each quarter of an hour', async () => {
  const desk = await openDesk(subscribed)
  const poller = desk.startPoller()
  await desk.pass(poller, 2 * hourMs)
  expect(poller.status()).toMatchObject({ mode: 'slow', reason: 'webhooks are healthy' })
  expect(desk.looks()).toBe(8)
})

test('a change for which no delivery comes: full rate, and the operators know why', async () => {
  const desk = await openDesk(subscribed)
  const poller = desk.startPoller()
  await desk.pass(poller, hourMs)
  desk.sandbox.fire(change)
  await desk.pass(poller, 15 * minuteMs)
  expect(desk.taken).toHaveLength(1)
  expect(poller.status().mode).toBe('slow')
  await desk.pass(poller, 40 * minuteMs)
  expect(poller.status()).toMatchObject({
    mode: 'full',
    reason: 'the figures showed a change for which no webhook came',
  })
  expect(desk.notices).toEqual([
    'Webhooks are not reliable: Bluepencil now reads the published figures every 1 min 38 s and finds changes in them. Reason: the figures showed a change for which no webhook came.',
  ])
  const [found] = desk.taken
  poller.delivered(alert({ id: 'evt_late', delta: 25, detectedAt: found?.detectedAt ?? null }))
  await desk.pass(poller, 20 * minuteMs)
  expect(poller.status().mode).toBe('slow')
  expect(desk.notices).toHaveLength(2)
})

test('a change with a delivery before or soon after causes no incident', async () => {
  const desk = await openDesk(subscribed)
  const poller = desk.startPoller()
  await desk.pass(poller, hourMs)
  const detectedAt = new Date(desk.clock.now()).toISOString()
  desk.sandbox.fire(change)
  poller.delivered(alert({ delta: 25, detectedAt }))
  await desk.pass(poller, 2 * hourMs)
  expect(desk.taken).toHaveLength(1)
  expect(poller.status().mode).toBe('slow')
})

test('deliveries that do not verify: full rate until one does, and a quarter of an hour longer', async () => {
  const desk = await openDesk(subscribed)
  const poller = desk.startPoller()
  await desk.pass(poller, minuteMs)
  for (let forged = 0; forged < 3; forged++) poller.refused('forged')
  await desk.pass(poller, 2 * minuteMs)
  expect(poller.status()).toMatchObject({
    mode: 'full',
    reason: 'incoming webhooks do not match any of your signing secrets',
  })
  poller.delivered(alert())
  await desk.pass(poller, 10 * minuteMs)
  expect(poller.status().mode).toBe('full')
  await desk.pass(poller, 10 * minuteMs)
  expect(poller.status().mode).toBe('slow')
  expect(desk.decisions.map(({ mode, reason }) => `${mode}: ${reason}`)).toEqual([
    'slow: webhooks are healthy',
    'full: incoming webhooks do not match any of your signing secrets',
    'full: webhooks are healthy; full rate goes on for 15 minutes to be sure',
    'slow: webhooks are healthy',
  ])
})
