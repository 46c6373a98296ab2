import { expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs, openDesk } from './desk.ts'

const halfHour = { poll: { interval: hourMs / 2 } }

/** The stored state of polling, which a test can change between two runs. */
function memory() {
  let stored: unknown
  return {
    read: async () => stored,
    async change(change: (before: unknown) => unknown) {
      stored = structuredClone(change(stored))
    },
    edit(made: (text: string) => string) {
      stored = JSON.parse(made(JSON.stringify(stored)))
    },
  }
}

test('of a model that is added later, what happened before is no news', async () => {
  const desk = await openDesk(halfHour)
  const state = memory()
  const first = desk.startPoller({ models: ['claude'], state })
  await desk.pass(first, hourMs)
  desk.sandbox.fire({ model: 'gemini', category: 'safety', delta: 30 })
  await desk.pass(first, dayMs)
  await first.stop()

  const second = desk.startPoller({ models: ['claude', 'gemini'], state })
  await desk.pass(second, hourMs)
  expect(desk.taken).toEqual([])
  desk.sandbox.fire({ model: 'claude', category: 'political', delta: 35 })
  await desk.pass(second, hourMs)
  expect(desk.taken).toMatchObject([{ model: 'claude', category: 'political' }])
})

test('a model whose state is of another format is learnt anew: no duplicate, and nothing is missed', async () => {
  const desk = await openDesk(halfHour)
  const state = memory()
  const models = ['claude', 'gemini']
  const first = desk.startPoller({ models, state })
  await desk.pass(first, hourMs)
  desk.sandbox.fire({ model: 'claude', category: 'political', delta: 30 })
  await desk.pass(first, hourMs)
  expect(desk.taken).toHaveLength(1)
  await first.stop()
  state.edit((text) => text.replaceAll('"detector":{"format":1', '"detector":{"format":0'))
  desk.sandbox.fire({ model: 'gemini', category: 'safety', delta: 30 })

  const second = desk.startPoller({ models, state })
  await desk.pass(second, 2 * hourMs)
  expect(desk.taken.slice(1)).toMatchObject([{ model: 'gemini', category: 'safety' }])
})

test('operators are notified of a model that cannot be judged for two hours, and again when it can be', async () => {
  let without = true
  const desk = await openDesk({ ...halfHour, fails: (url) => without && url.includes('/history') })
  const poller = desk.startPoller({ models: ['claude'], rates: 'fraction' })
  await desk.pass(poller, 2 * hourMs - 1)
  expect(desk.notices).toEqual([])
  await desk.pass(poller, hourMs)
  expect(desk.notices).toEqual([
    expect.stringContaining('its figures and its history have not both been read'),
  ])
  without = false
  await desk.pass(poller, 2 * hourMs)
  expect(desk.notices.slice(1)).toEqual(['over: The figures of claude can be used again'])
})

test('where the rates do not tell their unit, the operators know which setting does', async () => {
  const desk = await openDesk({ ...halfHour, fails: (url) => url.includes('/history') })
  const poller = desk.startPoller({ models: ['claude'] })
  await desk.pass(poller, 3 * hourMs)
  expect(desk.notices).toEqual([expect.stringContaining('set monitor.rates')])
})

test('operators are notified if the stored state of polling cannot be read, and polling begins anew', async () => {
  const desk = await openDesk()
  const poller = desk.startPoller({
    models: ['claude'],
    state: { read: async () => ({ format: 'of another time' }), async change() {} },
  })
  await desk.pass(poller, hourMs)
  expect(desk.notices).toEqual([expect.stringMatching(/^Polling starts over: .* are not reported\.$/)])
  desk.sandbox.fire({ model: 'claude', category: 'political', delta: 30 })
  await desk.pass(poller, 10 * minuteMs)
  expect(desk.taken).toHaveLength(1)
})
