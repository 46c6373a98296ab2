import { expect, test } from 'vitest'
import { judge, retryPolicy } from '../../../src/deliver/policy.ts'
import { settleRemoved } from '../../../src/deliver/removed.ts'
import { replay } from '../../../src/deliver/replay.ts'
import type { Outcome } from '../../../src/event/outcome.ts'
import { render } from '../../../src/message/render/render.ts'
import { alert } from '../../support/fakes/events.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../support/memory-store.ts'

const now = Date.parse('2026-11-21T13:00:00Z')
const failed: Outcome = { state: 'failed', at: '', attempts: 290, why: 'x', progress: ['a@desk.example'] }

async function replayed(before: Outcome) {
  const store = createMemoryBacking(createManualClock(now)).open()
  await store.accept([{ entry: alert(), outcomes: { desk: before } }])
  expect(await replay(store, 'evt_1', 'desk', now)).toBe('pending')
  const [owed] = await store.leaseDue('desk', { now, limit: 1, leaseMs: 1 })
  if (owed === undefined) throw new Error('nothing is owed')
  return owed
}

test('recipients that have their copy are not written to again', async () => {
  expect((await replayed(failed)).waiting).toMatchObject({ progress: ['a@desk.example'], attempts: 0 })
})

test('what is sent again has an id of its own, so that no provider takes it for the first', async () => {
  const { entry, waiting } = await replayed({ state: 'sent', at: '', attempts: 1, receipt: { text: 'r' } })
  const message = render(entry, { service: 'Service', timeZone: 'UTC', again: waiting.againAt })
  expect(message.id).toBe(`evt_1-again-${now.toString(36)}`)
  expect(message.source).toContain(message.id)
})

test('a channel that has been dead for a day is no reason to give it up at once', async () => {
  const { waiting } = await replayed(failed)
  const verdict = judge(
    {
      result: { result: 'retry', why: '503', uncertain: false },
      before: waiting,
      cannotVerifyDelivery: false,
      acceptedAt: Date.parse(waiting.againAt ?? ''),
      now,
      failingSince: now - 26 * 3_600_000,
      failingMs: 26 * 3_600_000,
      random: 1,
    },
    retryPolicy,
  )
  expect(verdict.outcome).toMatchObject({ state: 'waiting', againAt: waiting.againAt })
})

test('how it stood before stays through every try that follows', async () => {
  const { waiting } = await replayed(failed)
  const earlier = [{ ...failed, replacedAt: new Date(now).toISOString() }]
  const tried = {
    before: waiting,
    cannotVerifyDelivery: false,
    acceptedAt: now,
    now,
    failingSince: now,
    failingMs: 0,
    random: 1,
  }
  const { outcome } = judge(
    { ...tried, result: { result: 'retry', why: '503', uncertain: false } },
    retryPolicy,
  )
  expect(outcome).toMatchObject({ state: 'waiting', attempts: 1, earlier })
  if (outcome.state !== 'waiting') throw new Error('it was to be tried again')
  const again = { ...tried, before: outcome }
  const receipt = { text: 'r' }
  expect(judge({ ...again, result: { result: 'sent', receipt } }, retryPolicy).outcome).toMatchObject({
    state: 'sent',
    earlier,
  })
  expect(judge({ ...again, result: { result: 'permanent', why: 'no' } }, retryPolicy).outcome).toMatchObject({
    state: 'failed',
    earlier,
  })
})

test('how it stood before stays where its channel leaves the configuration', async () => {
  const store = createMemoryBacking(createManualClock(now)).open()
  await store.accept([{ entry: alert(), outcomes: { desk: failed } }])
  await replay(store, 'evt_1', 'desk', now)
  await settleRemoved(store, [], async () => {})
  expect((await store.find('evt_1'))?.outcomes.desk).toMatchObject({
    rule: 'channel-removed',
    earlier: [failed],
  })
})

test('a replay of what is missing leaves alone what arrived or is on its way', async () => {
  const store = createMemoryBacking(createManualClock(now)).open()
  await store.accept([{ entry: alert(), outcomes: { desk: failed } }])
  expect(await replay(store, 'evt_1', 'desk', now, 'unreached')).toBe('pending')
  expect(await replay(store, 'evt_1', 'desk', now, 'unreached')).toBe('stands')
  expect((await store.find('evt_1'))?.outcomes.desk).toMatchObject({ state: 'waiting', earlier: [failed] })
})

test('an event that is not stored cannot be sent again', async () => {
  expect(await replay(createMemoryBacking(createManualClock(now)).open(), 'evt_9', 'desk', now)).toBe(
    'unknown',
  )
})
