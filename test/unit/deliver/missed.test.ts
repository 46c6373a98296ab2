import { expect, test } from 'vitest'
import type { Channel } from '../../../src/channels/channel.ts'
import type { CommonSettings } from '../../../src/channels/settings.ts'
import { route } from '../../../src/decide/route/route.ts'
import { startDelivery } from '../../../src/deliver/deliver.ts'
import { retryPolicy } from '../../../src/deliver/policy.ts'
import { replay } from '../../../src/deliver/replay.ts'
import { render, renderSummary } from '../../../src/message/render/render.ts'
import { alert, finding } from '../../support/fakes/events.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../support/memory-store.ts'

const start = Date.parse('2026-11-21T13:00:00Z')
const missedSince = '2026-11-20T09:00:00.000Z'
const summary = `sum_poll_${Date.parse(missedSince)}`
const desk: CommonSettings = {
  name: 'desk',
  models: ['claude'],
  direction: 'both',
  timeZone: 'UTC',
  language: 'en',
}
const table = { channels: [desk], operators: [], retentionMs: 90 * 86_400_000 }

/** A desk for Claude, in a process that can end and begin again on the same store. */
function openDesk() {
  const clock = createManualClock(start)
  const store = createMemoryBacking(clock).open()
  const sent: string[] = []
  const channel: Channel = {
    name: 'desk',
    type: 'console',
    paceMs: 0,
    destination: undefined,
    async send({ id }) {
      sent.push(id)
      return { result: 'sent', receipt: { text: 'r' } }
    },
    check: async () => [],
    close: async () => {},
  }
  const context = { service: 'Service', timeZone: 'UTC' }
  const begin = () =>
    startDelivery([channel], {
      store,
      clock,
      random: () => 1,
      policy: retryPolicy,
      render: ({ entry }) => render(entry, context),
      renderFollowUp: () => {
        throw new Error('no story')
      },
      renderSummary: (missed) => renderSummary(missed, context),
      onEvent: () => {},
    })
  return {
    clock,
    store,
    sent,
    begin,
    async accept(...events: Parameters<typeof finding>[0][]) {
      for (const event of events) {
        const entry = alert(event)
        await store.accept([{ entry, outcomes: route(entry, table, clock.now()) }])
      }
    },
  }
}

const missed = (number: number, model = 'claude') => finding({ id: `poll_${number}`, model, missedSince })

test('three changes that polling missed are announced once, and each follows, also over a restart in between', async () => {
  const { accept, begin, clock, sent } = openDesk()
  const first = begin()
  await accept(missed(1), missed(2), missed(3))
  first.wake()
  await clock.advance(11_000)
  expect(sent).toEqual([summary, 'poll_1'])
  await first.stop(0)
  begin()
  await clock.advance(60_000)
  expect(sent).toEqual([summary, 'poll_1', 'poll_2', 'poll_3'])
})

test('two are no flood, nor are those that the channel does not want', async () => {
  const { accept, begin, clock, sent } = openDesk()
  await accept(missed(1), missed(2), missed(3, 'gemini'))
  begin()
  await clock.advance(60_000)
  expect(sent).toEqual(['poll_1', 'poll_2'])
})

test('an alert that comes by webhook meanwhile waits for none of them', async () => {
  const { accept, begin, clock, sent } = openDesk()
  await accept(missed(1), missed(2), missed(3), { id: 'evt_now' })
  begin()
  await clock.advance(0)
  expect(sent).toEqual(['evt_now'])
})

test('who asks for one of them again gets that and no summary', async () => {
  const { accept, begin, clock, sent, store } = openDesk()
  const delivery = begin()
  await accept(missed(1), missed(2), missed(3))
  delivery.wake()
  await clock.advance(60_000)
  sent.length = 0
  await replay(store, 'poll_2', 'desk', clock.now())
  delivery.wakeOnRequest('desk')
  await clock.advance(1_000)
  expect(sent).toEqual(['poll_2'])
})
