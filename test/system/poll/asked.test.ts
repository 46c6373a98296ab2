import { expect, test, vi } from 'vitest'
import { hourMs, minuteMs, openDesk } from './desk.ts'
import { openNewsroom } from './newsroom.ts'

const step = { model: 'claude', category: 'political', delta: 25 }

/** While webhooks are healthy, the figures are read every quarter of an hour. The last time was a moment ago. */
async function openSlowDesk(options: Parameters<typeof openDesk>[0] = {}) {
  const poll = { models: ['claude'], subscription: () => ({ state: 'active' }), ...options.poll }
  const desk = await openDesk({ ...options, poll })
  const poller = desk.startPoller()
  await desk.pass(poller, hourMs + minuteMs)
  const looked = desk.looks()
  return { ...desk, poller, more: () => desk.looks() - looked, pass: (ms: number) => desk.pass(poller, ms) }
}

test('an accepted alert has its model read within a minute, and several alerts of a moment once', async () => {
  const desk = await openSlowDesk()
  desk.sandbox.fire(step)
  for (let alert = 0; alert < 5; alert++) desk.poller.readSoon('claude')
  await desk.pass(minuteMs)
  expect(desk.more()).toBe(1)
  expect(desk.taken).toMatchObject([{ model: 'claude', figures: { levels: { category: 'political' } } }])
  desk.poller.readSoon('claude')
  await desk.pass(minuteMs)
  expect(desk.more()).toBe(2)
  await desk.pass(5 * minuteMs)
  expect(desk.more()).toBe(2)
  expect((await desk.requests()).mostInAnHour['sandbox-free']).toBeLessThanOrEqual(75)
})

test('of models that are read in turn, it is the one of the alert, and the others keep their turns', async () => {
  const desk = await openSlowDesk({ withoutCompare: true, poll: { models: ['claude', 'gemini'] } })
  const readings = async () => {
    const { requests } = await desk.requests()
    return ['claude', 'gemini'].map(
      (model) => requests.filter(({ path }) => path.endsWith(`/${model}/metrics`)).length,
    )
  }
  const { nextLook } = desk.poller.status()
  const [claude = 0, gemini] = await readings()
  desk.poller.readSoon('claude')
  await desk.pass(minuteMs)
  expect(await readings()).toEqual([claude + 1, gemini])
  expect(desk.poller.status().nextLook).toBe(nextLook)
})

test('a reading that fails is not repeated before the next one is due', async () => {
  let isDown = false
  const desk = await openSlowDesk({ fails: () => isDown })
  isDown = true
  desk.poller.readSoon('claude')
  await desk.pass(10 * minuteMs)
  expect(desk.more()).toBe(1)
  expect(desk.errors).toHaveLength(1)
})

test('a reading waits for requests to spare, and nobody asks for a model that is not followed', async () => {
  let maySpend = false
  const desk = await openSlowDesk({ poll: { maySpend: async () => maySpend } })
  desk.poller.readSoon('claude')
  desk.poller.readSoon('llama')
  desk.poller.readSoon(null)
  await desk.pass(3 * minuteMs)
  expect(desk.more()).toBe(0)
  maySpend = true
  await desk.pass(2 * minuteMs)
  expect(desk.more()).toBe(1)
})

test('a report has no level of an earlier change, and its own as soon as they are published', async () => {
  const newsroom = await openNewsroom({ publicUrl: true, models: ['gemini'] })
  await newsroom.pass(20 * minuteMs)
  const first = await newsroom.fire({ ...step, model: 'gemini', type: 'censorship_spike' })
  await newsroom.pass(minuteMs)
  await vi.waitUntil(async () => (await newsroom.alerts()).length === 2)
  const [, found] = await newsroom.alerts()
  expect(found?.entry).toMatchObject({ sameAs: first, figures: { levels: { category: 'political' } } })
  await newsroom.pass(10 * minuteMs)
  const second = await newsroom.fire({ ...step, model: 'gemini', delta: 12, type: 'censorship_spike' })
  const text = newsroom.shown('desk').find((one) => one.includes(second))
  expect(text).toContain('Gemini’s refusal rate on political prompts rose 12 points.')
  expect(text).not.toContain('Before:')
})
