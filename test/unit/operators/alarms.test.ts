import { beforeEach, describe, expect, test } from 'vitest'
import type { SendResult } from '../../../src/channels/channel.ts'
import type { SettledTry } from '../../../src/deliver/parts.ts'
import type { Notice } from '../../../src/event/event.ts'
import type { Outcome } from '../../../src/event/outcome.ts'
import { createAlarms } from '../../../src/operators/alarms.ts'
import { alert } from '../../support/fakes/events.ts'
import { createManualClock, type ManualClock } from '../../support/fakes/manual-clock.ts'

const start = Date.parse('2026-11-21T13:00:00Z')
let clock: ManualClock
let told: string[]
let alarms: ReturnType<typeof createAlarms>

beforeEach(() => {
  clock = createManualClock(start)
  told = []
  const incidents: Parameters<typeof createAlarms>[0] = {
    opens: (key, { title }) => told.push(`${key}: ${title}`),
    resolves: (key) => told.push(`${key} is over`),
    happened: (key, { title }) => told.push(`${key}: ${title}`),
  }
  alarms = createAlarms(incidents, clock, () => 'Discord')
})

function settled(result: SendResult, outcome: Outcome, silentMs?: number, restMs = 0): SettledTry {
  const waiting = { state: 'waiting' as const, dueAt: '', why: '', attempts: 0 }
  const notification = {
    eventId: 'evt_1',
    channel: 'desk',
    seq: 1,
    entry: alert(),
    waiting,
    lease: '1',
    uncertain: false,
    later: {},
  }
  return { channel: 'desk', notification, result, outcome, outageMs: silentMs, backoffMs: restMs }
}

function waiting(minutesOfTrying: number): Outcome {
  const firstAttemptAt = new Date(start - minutesOfTrying * 60_000).toISOString()
  return { state: 'waiting', dueAt: '', why: '503', attempts: 1, firstAttemptAt }
}

describe('a channel', () => {
  test('that accepts nothing is reported at once', () => {
    alarms.settled(settled({ result: 'blocked', why: 'revoked' }, waiting(0)))
    expect(told).toEqual(['channel:desk: Discord channel “desk” rejects our messages'])
  })

  test('that fails is reported after five minutes, and so is its end', () => {
    const retry: SendResult = { result: 'retry', why: '503', uncertain: false }
    alarms.settled(settled(retry, waiting(60), 4 * 60_000))
    expect(told).toEqual([])
    alarms.settled(settled(retry, waiting(60), 5 * 60_000))
    alarms.settled(
      settled(
        { result: 'sent', receipt: { text: 'r' } },
        { state: 'sent', at: '', attempts: 2, receipt: { text: 'r' } },
      ),
    )
    expect(told).toEqual(['channel:desk: Discord channel “desk” cannot be reached', 'channel:desk is over'])
  })

  test('whose provider asks for a long wait is reported at once', () => {
    const rateLimited: SendResult = { result: 'retry', why: '429', uncertain: false, afterMs: 3_600_000 }
    alarms.settled(settled(rateLimited, waiting(0), 0, 4 * 60_000))
    expect(told).toEqual([])
    alarms.settled(settled(rateLimited, waiting(0), 0, 60 * 60_000))
    expect(told).toEqual(['channel:desk: Discord channel “desk” cannot be reached'])
  })

  test('that loses a message for good is reported', () => {
    const failed: Outcome = { state: 'failed', at: '', attempts: 1, why: 'too long' }
    alarms.settled(settled({ result: 'permanent', why: 'too long' }, failed))
    expect(told).toEqual(['dead:desk: A notification to desk failed for good'])
  })

  test('that ends a second try without an answer, and cannot be asked for it, is reported; so is one that then gets through', () => {
    const silent: SendResult = { result: 'retry', why: 'no answer', uncertain: true, unanswered: true }
    const open = (unanswered: number): Outcome => ({
      state: 'waiting',
      dueAt: '',
      why: '',
      attempts: 2,
      unanswered,
    })
    alarms.settled(settled(silent, open(1)))
    expect(told).toEqual([])
    alarms.settled(settled(silent, open(2)))
    expect(told).toEqual(['unanswered:desk: A message to desk may have arrived 2 times'])
    // A try that surely did not arrive makes no further copy.
    alarms.settled(settled({ result: 'retry', why: '503', uncertain: false }, open(2)))
    expect(told).toHaveLength(1)
    const sent: Outcome = { state: 'sent', at: '', attempts: 3, receipt: { text: 'r' }, unanswered: 2 }
    alarms.settled(settled({ result: 'sent', receipt: { text: 'r' } }, sent))
    expect(told).toContain('unanswered:desk: A message to desk may have arrived 3 times')
  })

  test('that has not answered for five minutes is reported, though it may answer well', () => {
    alarms.slow({ channel: 'desk', forMs: 5 * 60_000 })
    alarms.settled(
      settled(
        { result: 'sent', receipt: { text: 'r' } },
        { state: 'sent', at: '', attempts: 1, receipt: { text: 'r' } },
      ),
    )
    expect(told).toEqual(['channel:desk: Discord channel “desk” cannot be reached', 'channel:desk is over'])
  })

  test('with one message that fails for long while others get through has no incident', () => {
    const retry: SendResult = { result: 'retry', why: '452 mailbox full', uncertain: false }
    alarms.settled(settled(retry, waiting(600), 1_000))
    expect(told).toEqual([])
  })

  test('that refuses an address of a notice causes no other notice', () => {
    const sent: Outcome = { state: 'sent', at: '', attempts: 1, receipt: { text: 'r' } }
    const settledOnce = settled({ result: 'sent', receipt: { text: 'r' }, remark: '1 of 2 refused' }, sent)
    const entry: Notice = {
      kind: 'notice',
      id: 'ntc_1',
      phase: 'trouble',
      channel: null,
      title: '',
      text: '',
      receivedAt: '',
    }
    alarms.settled({ ...settledOnce, notification: { ...settledOnce.notification, entry } })
    expect(told).toEqual(['channel:desk is over'])
  })

  test('that accepted a message but not for everybody is reported', () => {
    const sent: Outcome = { state: 'sent', at: '', attempts: 1, receipt: { text: 'r' } }
    alarms.settled(settled({ result: 'sent', receipt: { text: 'r' }, remark: '1 of 2 refused' }, sent))
    expect(told).toContain('remark:desk: desk accepted only part of a message')
  })
})

describe('deliveries', () => {
  test('that do not verify are reported after the third in a row, and again when one verifies', () => {
    for (const outcome of ['forged', 'forged', 'accepted', 'forged', 'unsigned', 'forged'])
      alarms.received(outcome)
    expect(told.filter((line) => line.startsWith('signature:'))).toEqual([])
    alarms.received('forged')
    expect(told).toContain('signature: Incoming webhooks have no valid signature')
    alarms.received('duplicate')
    expect(told.at(-2)).toBe('signature is over')
  })

  test('without a signature are reported after the twentieth, if no signed one came between', () => {
    for (let count = 0; count < 19; count += 1) alarms.received('unsigned')
    expect(told).toEqual([])
    alarms.received('unsigned')
    expect(told).toEqual(['signature: Incoming webhooks have no valid signature'])
  })

  test('that nothing could verify are reported', () => {
    alarms.received('no_secret')
    expect(told).toEqual(['secret: No delivery can be verified: there is no signing secret'])
  })

  test('that cannot be stored are reported, and resolved after two minutes without a failure', async () => {
    alarms.received('not_stored')
    expect(told).toEqual(['store: The store cannot be written'])
    await clock.advance(119_999)
    alarms.storeProbed()
    expect(told).toHaveLength(1)
    await clock.advance(1)
    alarms.storeProbed()
    expect(told).toEqual(['store: The store cannot be written', 'store is over'])
  })
})

describe('an event that could not be fully read', () => {
  const unread = alert({ unrecognised: [{ field: 'delta', problem: 'missing' }] })
  const refused: Outcome = { state: 'not_sent', rule: 'minDelta', why: '' }

  test('and reached no channel is reported', () => {
    alarms.accepted(unread, { desk: refused })
    expect(told).toEqual(['unheard: An incomplete event was not sent to any channel'])
  })

  test('but reached one is not, nor is one that is as documented', () => {
    alarms.accepted(unread, { desk: refused, other: waiting(0) })
    alarms.accepted(alert(), { desk: refused })
    alarms.accepted({ ...unread, sameAs: 'poll_1' }, { desk: refused })
    expect(told).toEqual([])
  })
})

describe('the subscription', () => {
  test('that is missing or refused is reported at once, and again when it is active', () => {
    alarms.subscription({ state: 'unknown' })
    alarms.subscription({ state: 'refused', why: '403' })
    alarms.subscription({ state: 'active' })
    expect(told).toEqual([
      'subscription: There is no active subscription, so no webhooks arrive',
      'subscription is over',
    ])
  })

  test('whose service is away is reported after ten minutes', async () => {
    const away = { state: 'unreachable', why: 'refused', since: new Date(start).toISOString() }
    alarms.subscription(away)
    await clock.advance(599_999)
    alarms.subscription(away)
    expect(told).toEqual([])
    await clock.advance(1)
    alarms.subscription(away)
    expect(told).toEqual(['subscription: The monitoring service cannot be reached'])
  })
})

test('an id that is used for different things is reported, with what becomes of them', () => {
  alarms.reused({ id: 'evt_1', contents: 2 })
  expect(told).toEqual(['reused: The service sent 2 different events under the id evt_1'])
  alarms.reused({ id: 'evt_1~3', contents: 3, isEarlier: true })
  expect(told.slice(1)).toEqual(['earlier: The service repeats what it had corrected: evt_1~3'])
})

describe('an event that is too old to be sent', () => {
  const stale: Outcome = { state: 'not_sent', rule: 'stale', why: 'detected a year ago' }

  test('is reported once, even if it could not be fully read', () => {
    alarms.accepted(alert({ unrecognised: [{ field: 'id', problem: 'does not begin with evt_' }] }), {
      desk: stale,
      mail: stale,
    })
    expect(told).toEqual([
      'stale: An old event was stored but not sent: Claude’s refusal rate on political prompts rose 12 points.',
    ])
  })

  test('is not reported if only another rule keeps it back', () => {
    alarms.accepted(alert(), { desk: { state: 'not_sent', rule: 'minDelta', why: '' } })
    expect(told).toEqual([])
  })
})
