import { expect, test } from 'vitest'
import { dayMs, hourMs, openDesk } from './desk.ts'

const halfHour = { poll: { interval: hourMs / 2 } }

/** What polling remembers, where a test can change it between two runs. */
function memory() {
  let stored: unknown
  return {
    read: async () => stored,
    async write(value: unknown) {
      stored = structuredClone(value)
    },
    change(made: (text: string) => string) {
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

test('a model whose state is of another format is learnt anew: nothing is told twice, and nothing is missed', async () => {
  const desk = await openDesk(halfHour)
  const state = memory()
  const first = desk.startPoller({ state })
  await desk.pass(first, hourMs)
  desk.sandbox.fire({ model: 'claude', category: 'political', delta: 30 })
  await desk.pass(first, hourMs)
  expect(desk.taken).toHaveLength(1)
  await first.stop()
  state.change((text) => text.replaceAll('"detector":{"format":1', '"detector":{"format":0'))
  desk.sandbox.fire({ model: 'gemini', category: 'safety', delta: 30 })

  const second = desk.startPoller({ state })
  await desk.pass(second, 2 * hourMs)
  expect(desk.taken.slice(1)).toMatchObject([{ model: 'gemini', category: 'safety' }])
})
