import { describe, expect, test, vi } from 'vitest'
import type { Attempt, Channel, SendResult } from '../../../src/channels/channel.ts'
import { startDelivery } from '../../../src/deliver/deliver.ts'
import type { QueueFailure } from '../../../src/deliver/parts.ts'
import { retryPolicy } from '../../../src/deliver/policy.ts'
import { replay } from '../../../src/deliver/replay.ts'
import type { Outcome } from '../../../src/event/outcome.ts'
import type { Message } from '../../../src/message/message.ts'
import { render, renderSummary } from '../../../src/message/render/render.ts'
import { alert } from '../../support/fakes/events.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../support/memory-store.ts'

const start = Date.parse('2026-11-21T13:00:00Z')
const ok: SendResult = { result: 'sent', receipt: { text: 'r' } }
const retry: SendResult = { result: 'retry', why: 'it answered 503', uncertain: false }

type Answers = (message: Message, attempt: Attempt) => SendResult | Promise<SendResult>

/** A channel with scripted answers that records what it was asked to send, and when. */
function scripted(name: string, answers: Answers, paceMs = 0, destination?: string) {
  const sent: string[] = []
  const open = (clock: { now(): number }): Channel => ({
    name,
    type: 'console',
    paceMs,
    destination,
    async send(message, attempt) {
      sent.push(`${(clock.now() - start) / 1000} ${message.id}`)
      return answers(message, attempt)
    },
    check: async () => [],
    close: async () => {},
  })
  return { sent, open }
}

function deliver(...channels: ReturnType<typeof scripted>[]) {
  const clock = createManualClock(start)
  const store = createMemoryBacking(clock).open()
  const failures: QueueFailure[] = []
  const silences: (number | undefined)[] = []
  const open = channels.map((channel) => channel.open(clock))
  const begin = () =>
    startDelivery(open, {
      store,
      clock,
      random: () => 1,
      policy: retryPolicy,
      render: ({ entry }) => {
        if (entry.id === 'evt_unrenderable') throw new Error('no words')
        return render(entry, { service: 'Service', timeZone: 'UTC' })
      },
      renderFollowUp: () => {
        throw new Error('no story')
      },
      renderSummary: (missed) => renderSummary(missed, { service: 'Service', timeZone: 'UTC' }),
      onEvent(event) {
        if (event.type === 'settled') silences.push(event.outageMs)
        else if (event.type === 'failed') failures.push(event)
      },
    })
  const delivery = begin()
  return {
    clock,
    store,
    delivery,
    begin,
    failures,
    silences,
    async owe(...ids: string[]) {
      const dueAt = new Date(clock.now()).toISOString()
      const waiting: Outcome = { state: 'waiting', dueAt, why: 'not tried yet', attempts: 0 }
      const outcomes = () => Object.fromEntries(open.map(({ name }) => [name, { ...waiting }]))
      const receivedAt = new Date(clock.now()).toISOString()
      await store.accept(ids.map((id) => ({ entry: alert({ id, receivedAt }), outcomes: outcomes() })))
      delivery.wake()
      await clock.advance(0)
    },
    async outcome(id: string, channel: string) {
      return (await store.find(id))?.outcomes[channel]
    },
  }
}

describe('a queue', () => {
  test('sends what is pending, oldest first, once', async () => {
    const desk = scripted('desk', () => ok)
    const { owe, clock, outcome } = deliver(desk)
    await owe('evt_1', 'evt_2', 'evt_3')
    await clock.advance(60_000)
    expect(desk.sent).toEqual(['0 evt_1', '0 evt_2', '0 evt_3'])
    expect(await outcome('evt_3', 'desk')).toEqual({
      state: 'sent',
      at: '2026-11-21T13:00:00.000Z',
      attempts: 1,
      receipt: { text: 'r' },
      message: expect.objectContaining({ source: 'Reported by the Service · evt_3' }),
    })
  })

  test('keeps the order where its process ends between two tries of a message', async () => {
    const answers = [retry, ok, ok]
    const desk = scripted('desk', () => answers.shift() ?? ok)
    const { owe, clock, delivery, begin } = deliver(desk)
    await owe('evt_1', 'evt_2')
    await delivery.stop(0)
    begin()
    await clock.advance(60_000)
    expect(desk.sent).toEqual(['0 evt_1', '0 evt_1', '0 evt_2'])
  })

  test('waits as long as the provider asked, even after a restart, and keeps the order', async () => {
    const answers: SendResult[] = [{ ...retry, afterMs: 30 * 60_000 }]
    const desk = scripted('desk', () => answers.shift() ?? ok)
    const { owe, clock, delivery, begin } = deliver(desk)
    await owe('evt_1', 'evt_2')
    await delivery.stop(0)
    const second = begin()
    await clock.advance(60_000)
    await second.stop(0)
    begin()
    await clock.advance(40 * 60_000)
    expect(desk.sent).toEqual(['0 evt_1', '1800 evt_1', '1800 evt_2'])
  })

  test('keeps the order after an outage, even if the store fails midway', async () => {
    let isUp = false
    const desk = scripted('desk', () => (isUp ? ok : retry))
    const { owe, clock, store } = deliver(desk)
    await owe('evt_1', 'evt_2', 'evt_3', 'evt_4')
    await clock.advance(12 * 60_000)
    desk.sent.length = 0
    isUp = true
    const alter = vi.spyOn(store, 'alter')
    alter.mockRejectedValueOnce(new Error('the disk is full'))
    await clock.advance(30 * 60_000)
    expect(alter).toHaveBeenCalled()
    const [first = '', ...rest] = desk.sent.map((line) => line.split(' ')[1] ?? '')
    const others = ['evt_1', 'evt_2', 'evt_3', 'evt_4'].filter((id) => id !== first)
    expect(rest).toEqual(others)
  })

  test('counts how long nothing got through, even if the clock is changed meanwhile', async () => {
    const desk = scripted('desk', () => retry)
    const { owe, clock, silences } = deliver(desk)
    await owe('evt_1')
    clock.set(clock.now() + 6 * 365 * 24 * 3_600_000)
    await clock.advance(1_000)
    expect(silences[0]).toBe(0)
    expect(silences[1]).toBeLessThan(10 * 60_000)
  })

  test('keeps the pace of its channel', async () => {
    const desk = scripted('desk', () => ok, 1_000)
    const { owe, clock } = deliver(desk)
    await owe('evt_1', 'evt_2', 'evt_3')
    await clock.advance(10_000)
    expect(desk.sent).toEqual(['0 evt_1', '1 evt_2', '2 evt_3'])
  })

  test('keeps the pace of a place that two channels go to', async () => {
    const desk = scripted('desk', () => ok, 1_000, 'C01')
    const second = scripted('second', () => ok, 1_000, 'C01')
    const other = scripted('other', () => ok, 1_000, 'C02')
    const { owe, clock } = deliver(desk, second, other)
    await owe('evt_1', 'evt_2')
    await clock.advance(10_000)
    const seconds = [...desk.sent, ...second.sent].map((line) => Number(line.split(' ')[0]))
    expect(seconds.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3])
    expect(desk.sent.map((line) => line.split(' ')[1])).toEqual(['evt_1', 'evt_2'])
    expect(other.sent).toEqual(['0 evt_1', '1 evt_2'])
  })

  test('does not wait for another channel that hangs', async () => {
    const hanging = scripted('hanging', () => new Promise(() => {}))
    const desk = scripted('desk', () => ok)
    const { owe } = deliver(hanging, desk)
    await owe('evt_1', 'evt_2')
    expect(hanging.sent).toEqual(['0 evt_1'])
    expect(desk.sent).toEqual(['0 evt_1', '0 evt_2'])
  })

  test('keeps the order over a failure: those behind wait with the first', async () => {
    let failures = 3
    const desk = scripted('desk', () => (failures-- > 0 ? retry : ok))
    const { owe, clock } = deliver(desk)
    await owe('evt_1', 'evt_2')
    await clock.advance(10_000)
    expect(desk.sent).toEqual(['0 evt_1', '1 evt_1', '3 evt_1', '7 evt_1', '7 evt_2'])
  })

  test('waits as long as the provider asks', async () => {
    let isLost = false
    const desk = scripted('desk', () => {
      if (isLost) return ok
      isLost = true
      return { ...retry, afterMs: 42_000 }
    })
    const { owe, clock, delivery } = deliver(desk)
    await owe('evt_1')
    expect(delivery.backoff('desk')).toMatchObject({ until: start + 42_000, why: 'it answered 503' })
    await clock.advance(41_999)
    expect(desk.sent).toHaveLength(1)
    await clock.advance(1)
    expect(desk.sent).toEqual(['0 evt_1', '42 evt_1'])
    expect(delivery.backoff('desk')).toBeUndefined()
  })

  test('lets others past a message that fails each time', async () => {
    const desk = scripted('desk', ({ id }) => (id === 'evt_1' ? retry : ok))
    const { owe, clock, outcome } = deliver(desk)
    await owe('evt_1', 'evt_2', 'evt_3')
    await clock.advance(10 * 60_000)
    expect(await outcome('evt_2', 'desk')).toMatchObject({ state: 'sent' })
    expect(await outcome('evt_3', 'desk')).toMatchObject({ state: 'sent' })
    expect(await outcome('evt_1', 'desk')).toMatchObject({ state: 'waiting' })
  })

  test('gives a message up after a day, and says how often it was tried', async () => {
    const desk = scripted('desk', () => retry)
    const { owe, clock, outcome } = deliver(desk)
    await owe('evt_1')
    await clock.advance(25 * 3_600_000)
    expect(await outcome('evt_1', 'desk')).toMatchObject({
      state: 'failed',
      attempts: desk.sent.length,
      why: expect.stringMatching(/^gave up after 24 hours, at attempt 29\d: it answered 503$/),
    })
  })

  test('passes over a message that is never taken', async () => {
    const desk = scripted('desk', ({ id }) =>
      id === 'evt_1' ? { result: 'permanent', why: 'too long' } : ok,
    )
    const { owe, outcome } = deliver(desk)
    await owe('evt_1', 'evt_2')
    expect(await outcome('evt_1', 'desk')).toMatchObject({ state: 'failed', why: 'too long' })
    expect(await outcome('evt_2', 'desk')).toMatchObject({ state: 'sent' })
  })

  test('a message that cannot be made is a dead letter and not a dead queue', async () => {
    const desk = scripted('desk', () => ok)
    const { owe, outcome, failures } = deliver(desk)
    await owe('evt_unrenderable', 'evt_2')
    expect(await outcome('evt_unrenderable', 'desk')).toMatchObject({ state: 'failed' })
    expect(await outcome('evt_2', 'desk')).toMatchObject({ state: 'sent' })
    expect(failures).toHaveLength(1)
  })

  test('cuts off a try after two and a half minutes; it may have been sent, so the next one looks first', async () => {
    const uncertain: boolean[] = []
    const desk = scripted('desk', (_message, attempt) => {
      uncertain.push(attempt.uncertain)
      if (uncertain.length > 1) return ok
      return new Promise((resolve) => {
        const cut: SendResult = { result: 'retry', why: 'no answer', uncertain: true }
        attempt.signal.addEventListener('abort', () => resolve(cut))
      })
    })
    const { owe, clock } = deliver(desk)
    await owe('evt_1')
    await clock.advance(152_000)
    expect(uncertain).toEqual([false, true])
  })

  test('hands on what earlier tries finished', async () => {
    const progress: string[][] = []
    const desk = scripted('desk', (_message, attempt) => {
      progress.push(attempt.progress)
      return progress.length > 1 ? ok : { ...retry, progress: ['a@desk.example'] }
    })
    const { owe, clock } = deliver(desk)
    await owe('evt_1')
    await clock.advance(2_000)
    expect(progress).toEqual([[], ['a@desk.example']])
  })

  test('writes down what was sent before it does anything else, however long the store takes', async () => {
    const desk = scripted('desk', () => ok)
    const { owe, clock, store, outcome } = deliver(desk)
    vi.spyOn(store, 'settle')
      .mockRejectedValueOnce(new Error('full'))
      .mockRejectedValueOnce(new Error('full'))
    await owe('evt_1', 'evt_2')
    expect(desk.sent).toEqual(['0 evt_1'])
    await clock.advance(5_000)
    expect(desk.sent).toEqual(['0 evt_1', '2 evt_2'])
    expect(await outcome('evt_1', 'desk')).toMatchObject({ state: 'sent', attempts: 1 })
  })

  test('says once that the store does not take what was sent, and then each minute how often', async () => {
    const desk = scripted('desk', () => ok)
    const { owe, clock, store, failures } = deliver(desk)
    const settling = vi.spyOn(store, 'settle').mockRejectedValue(new Error('full'))
    await owe('evt_1')
    await clock.advance(150_000)
    expect(failures.map(({ eventId, times }) => [eventId, times])).toEqual([
      ['evt_1', undefined],
      ['evt_1', 61],
      ['evt_1', 121],
    ])
    settling.mockRestore()
    await clock.advance(1_000)
    expect(desk.sent).toEqual(['0 evt_1'])
  })

  test('a message that failed for good stays failed when the channel is back', async () => {
    let down = true
    const desk = scripted('desk', ({ id }) => {
      if (down) return retry
      return id === 'evt_1' ? { result: 'permanent', why: 'too long' } : ok
    })
    const { owe, clock, outcome } = deliver(desk)
    await owe('evt_1', 'evt_2', 'evt_3')
    await clock.advance(15 * 60_000)
    down = false
    await clock.advance(15 * 60_000)
    expect(await outcome('evt_1', 'desk')).toMatchObject({ state: 'failed', why: 'too long' })
    expect(await outcome('evt_2', 'desk')).toMatchObject({ state: 'sent' })
    expect(await outcome('evt_3', 'desk')).toMatchObject({ state: 'sent' })
    const last = desk.sent.filter((line) => line.endsWith('evt_1')).length
    await clock.advance(60 * 60_000)
    expect(desk.sent.filter((line) => line.endsWith('evt_1'))).toHaveLength(last)
  })

  test('a provider that asks for no wait at all is not hammered', async () => {
    const desk = scripted('desk', () => ({ ...retry, afterMs: 0 }))
    const { owe, clock } = deliver(desk)
    await owe('evt_1')
    await clock.advance(60_000)
    expect(desk.sent.length).toBeLessThan(10)
  })

  test('what a person asks for while it is being sent waits for the end of that', async () => {
    let finish: (result: SendResult) => void = () => {}
    const desk = scripted('desk', () => new Promise<SendResult>((resolve) => (finish = resolve)))
    const { owe, delivery, store, clock, outcome } = deliver(desk)
    await owe('evt_1')
    let replayed = false
    const replaying = delivery
      .idle('desk', 'evt_1')
      .then(() => replay(store, 'evt_1', 'desk', clock.now()))
      .then(() => {
        replayed = true
      })
    await clock.advance(1_000)
    expect(replayed).toBe(false)
    finish({ result: 'permanent', why: 'too long' })
    await replaying
    expect(await outcome('evt_1', 'desk')).toMatchObject({ state: 'waiting', why: 'sent again on request' })
  })

  test('tries at once when a person asks, also while it rests', async () => {
    const desk = scripted('desk', () => ({ result: 'blocked', why: 'the token was revoked' }))
    const { owe, clock, delivery, store } = deliver(desk)
    await owe('evt_1')
    await clock.advance(30_000)
    const dueAt = new Date(clock.now()).toISOString()
    await store.settle('evt_1', 'desk', {
      state: 'waiting',
      dueAt,
      why: 'sent again on request',
      attempts: 0,
    })
    delivery.wakeOnRequest('desk')
    await clock.advance(0)
    expect(desk.sent).toEqual(['0 evt_1', '30 evt_1'])
  })

  test('after a long outage a channel first gets a summary of what it missed, then the messages at a slow rate', async () => {
    let down = true
    const headlines: string[] = []
    const desk = scripted('desk', (message) => {
      if (down) return retry
      headlines.push(message.headline)
      return ok
    })
    const { owe, clock, outcome } = deliver(desk)
    await owe('evt_1', 'evt_2', 'evt_3', 'evt_4', 'evt_5')
    await clock.advance(45 * 60_000)
    down = false
    desk.sent.length = 0
    await clock.advance(120_000)
    const [summary, ...rest] = desk.sent.map((line) => line.split(' ')[1] ?? '')
    expect(summary).toBe(`sum_${start}`)
    expect(headlines[0]).toBe('5 messages could not be sent here since 21 Nov 2026, 13:00 UTC.')
    expect(rest.toSorted()).toEqual(['evt_1', 'evt_2', 'evt_3', 'evt_4', 'evt_5'])
    const seconds = desk.sent.slice(1).map((line) => Number(line.split(' ')[0]))
    expect(seconds.slice(1).map((at, index) => at - (seconds[index] ?? 0))).toEqual([3, 3, 3, 3])
    await owe('evt_6')
    expect(desk.sent.at(-1)).toMatch(/ evt_6$/)
    // The summary stands for none of them: each has its own outcome.
    for (const id of rest) {
      expect(await outcome(id, 'desk')).toMatchObject({ state: 'sent', receipt: { text: 'r' } })
    }
  })

  test('a channel that missed little gets no summary', async () => {
    let down = true
    const desk = scripted('desk', () => (down ? retry : ok))
    const { owe, clock } = deliver(desk)
    await owe('evt_1', 'evt_2')
    await clock.advance(45 * 60_000)
    down = false
    await clock.advance(10 * 60_000)
    expect(desk.sent.filter((line) => line.includes('sum_'))).toEqual([])
  })

  test.each([-24, 24])(
    'a clock that is set by %s hours in an outage ends no retries before their 24 hours, nor keeps them up for ever',
    async (hours) => {
      const desk = scripted('desk', () => retry)
      const { owe, clock, outcome } = deliver(desk)
      await owe('evt_1', 'evt_2')
      await clock.advance(3_600_000)
      clock.set(clock.now() + hours * 3_600_000)
      await clock.advance(22.5 * 3_600_000)
      expect(await outcome('evt_1', 'desk')).toMatchObject({ state: 'waiting' })
      expect(await outcome('evt_2', 'desk')).toMatchObject({ state: 'waiting' })
      // Set back, what is due tomorrow by the old time comes after all that is due today.
      await clock.advance((hours < 0 ? 24 : 1.5) * 3_600_000)
      const givenUp = { state: 'failed', why: expect.stringMatching(/^gave up after 24 hours, /) }
      expect(await outcome('evt_1', 'desk')).toMatchObject(givenUp)
      expect(await outcome('evt_2', 'desk')).toMatchObject(givenUp)
    },
  )

  test('two messages that are never accepted are tried for a day, even if others get through each minute', async () => {
    const desk = scripted('desk', ({ id }) => (/^evt_[12]$/.test(id) ? retry : ok))
    const { owe, clock, outcome } = deliver(desk)
    await owe('evt_1', 'evt_2')
    for (let count = 3; count < 8 * 60; count += 1) {
      await owe(`evt_${count}`)
      await clock.advance(60_000)
    }
    expect(await outcome('evt_1', 'desk')).toMatchObject({ state: 'waiting' })
    expect(await outcome('evt_2', 'desk')).toMatchObject({ state: 'waiting' })
  })

  test.each([-24, 24])('a clock that is set by %s hours holds nothing back', async (hours) => {
    let failures = 1
    const desk = scripted('desk', () => (failures-- > 0 ? retry : ok))
    const { owe, clock, outcome } = deliver(desk)
    await owe('evt_1')
    clock.set(start + hours * 3_600_000)
    await owe('evt_2')
    await clock.advance(60_000)
    expect(await outcome('evt_1', 'desk')).toMatchObject({ state: 'sent' })
    expect(await outcome('evt_2', 'desk')).toMatchObject({ state: 'sent' })
  })

  test('after an outage the messages that failed meanwhile go out in order', async () => {
    let down = true
    const desk = scripted('desk', () => (down ? retry : ok))
    const { owe, clock } = deliver(desk)
    await owe('evt_1', 'evt_2', 'evt_3')
    await clock.advance(30 * 60_000)
    down = false
    desk.sent.length = 0
    await clock.advance(61_000)
    const order = desk.sent.map((line) => line.split(' ')[1] ?? '')
    expect(order.toSorted()).toEqual(['evt_1', 'evt_2', 'evt_3'])
    expect(order.slice(1)).toEqual(order.slice(1).toSorted())
  })
})

describe('stopping', () => {
  test('finishes what is in flight and takes nothing more', async () => {
    let finish: (result: SendResult) => void = () => {}
    const desk = scripted('desk', () => new Promise<SendResult>((resolve) => (finish = resolve)))
    const { owe, delivery, outcome, clock } = deliver(desk)
    await owe('evt_1', 'evt_2')
    const stopped = delivery.stop(8_000)
    finish(ok)
    await stopped
    expect(await outcome('evt_1', 'desk')).toMatchObject({ state: 'sent' })
    expect(await outcome('evt_2', 'desk')).toMatchObject({ state: 'waiting', attempts: 0 })
    expect(clock.sleeping()).toBe(0)
  })

  test('cuts off what does not end in time, as something that may have been sent', async () => {
    const desk = scripted('desk', (_message, { signal }) => {
      const cut: SendResult = { result: 'retry', why: 'stopped', uncertain: true }
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(cut)))
    })
    const { owe, delivery, outcome, clock } = deliver(desk)
    await owe('evt_1')
    const stopped = delivery.stop(8_000)
    await clock.advance(8_000)
    await stopped
    expect(await outcome('evt_1', 'desk')).toMatchObject({ state: 'waiting', uncertain: true })
  })
})
