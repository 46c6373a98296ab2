import { beforeEach, expect, test } from 'vitest'
import { type ReleaseParts, release } from '../../../../src/decide/digest/release.ts'
import type { AlertEvent, Digest } from '../../../../src/event/event.ts'
import type { Outcome } from '../../../../src/event/outcome.ts'
import type { Store } from '../../../../src/store/store.ts'
import { alert, finding } from '../../../support/fakes/events.ts'
import { createManualClock } from '../../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../../support/memory-store.ts'
import { openDesk } from '../accept/desk.ts'

const until = '2026-11-22T07:00:00.000Z'
const held: Outcome = { state: 'held', until, by: 'quiet', why: 'it is night' }
const sent: Outcome = { state: 'sent', at: until, attempts: 1, receipt: { text: 'r' } }
const clock = createManualClock(Date.parse(until))
const before = { id: 'poll_1', by: 'figures' as const, type: null, model: 'claude', category: null }

let store: Store
let woken: string[]

beforeEach(() => {
  store = createMemoryBacking(clock).open()
  woken = []
})

async function accept(entry: AlertEvent, outcome: Outcome = held): Promise<void> {
  await store.accept([{ entry, outcomes: { desk: outcome } }])
}

async function releaseAll(changed: Partial<ReleaseParts> = {}): Promise<void> {
  await release(await store.held(), {
    store,
    clock,
    silence: () => undefined,
    stillHeld: () => undefined,
    async accept(digest) {
      const [verdict] = await store.accept([{ entry: digest, outcomes: { desk: sent } }])
      return verdict === 'new' ? 'new' : 'duplicate'
    },
    wake: (channel) => void woken.push(channel),
    ...changed,
  })
}

const outcomeOf = async (id: string) => (await store.find(id))?.outcomes.desk
const digests = async () =>
  (await store.list({ limit: 9 })).flatMap(({ entry }) => (entry.kind === 'digest' ? [entry] : []))

test('an alert and its correction are one change of a digest, and both are in it', async () => {
  await accept(alert({ id: 'a' }))
  await accept(
    alert({ id: 'a~2', delta: 9, revises: 'a', before: { ...before, delta: 12, detectedAt: null } }),
  )
  await accept(alert({ id: 'b', model: 'gemini' }))
  await releaseAll()
  const [digest] = await digests()
  expect(digest).toMatchObject({ count: 2, of: ['a', 'a~2', 'b'], items: [{ id: 'b' }, { id: 'a~2' }] })
  for (const id of ['a', 'a~2', 'b']) expect(await outcomeOf(id)).toEqual({ state: 'merged', in: digest?.id })
})

test('what another process stored first is believed: what its digest does not name goes out too', async () => {
  for (const id of ['a', 'b', 'c']) await accept(alert({ id, model: id }))
  await releaseAll({
    async accept(digest: Digest) {
      const fewer = { ...digest, of: ['a', 'b'], count: 2 }
      await store.accept([{ entry: fewer, outcomes: { desk: sent } }])
      return 'duplicate'
    },
  })
  expect(await outcomeOf('a')).toMatchObject({ state: 'merged' })
  expect(await outcomeOf('c')).toMatchObject({ state: 'waiting' })
  expect(woken).toEqual(['desk'])
})

test('the withdrawal of a finding that was dropped before is not sent', async () => {
  await accept(finding(), { state: 'not_sent', rule: 'nothing-new', why: 'it was found and withdrawn' })
  await accept(
    finding({
      id: 'poll_2',
      delta: 0,
      revises: 'poll_1',
      before: { ...before, delta: 12, detectedAt: null },
    }),
  )
  await releaseAll()
  expect(await outcomeOf('poll_2')).toMatchObject({ state: 'not_sent', rule: 'nothing-new' })
  expect(woken).toEqual([])
})

test('a finding whose urgent report went out at once is merged into it', async () => {
  await accept(finding())
  await accept(alert({ id: 'evt_1', delta: 25, sameAs: 'poll_1' }), sent)
  await releaseAll()
  expect(await outcomeOf('poll_1')).toEqual({ state: 'merged', in: 'evt_1' })
})

test('in a digest, a change that was found and then reported has the figures of the report', async () => {
  await accept(finding({ delta: 14 }))
  await accept(alert({ id: 'evt_1', delta: 18, sameAs: 'poll_1' }), { state: 'merged', in: 'poll_1' })
  await accept(alert({ id: 'b', model: 'gemini' }))
  await releaseAll()
  const [digest] = await digests()
  expect(digest?.items.map(({ id, delta }) => [id, delta])).toEqual([
    ['evt_1', 18],
    ['b', 12],
  ])
})

const minuteMs = 60_000
const at = '2026-11-21T13:10:00.000Z'
const inTime = { detectedAt: at, receivedAt: at }
const reported = (delta: number) =>
  alert({ id: 'evt_1', delta, content: `${delta}`, ...inTime, unrecognised: [] })

test.each([
  ['a digest', { digest: { every: 'hour' } }],
  ['quiet hours', { quiet: { from: '13:00', to: '14:00' } }],
] as const)(
  'in %s, the correction of a report waits with the finding that shows it, in its place',
  async (_, settings) => {
    const desk = await openDesk({ digests: true, settings })
    await desk.take(finding(inTime))
    await desk.take(reported(13))
    await desk.take(alert({ id: 'evt_2', model: 'qwen', delta: 7, ...inTime }))
    await desk.clock.advance(10 * minuteMs)
    await desk.take(reported(9))
    await desk.clock.advance(minuteMs)
    await desk.quiet()
    // Readers were not sent what it corrects.
    expect(desk.sent).toEqual([])
    await desk.clock.advance(60 * minuteMs)
    await desk.quiet()
    expect(desk.sent.map(({ text }) => text)).toEqual([
      [
        expect.stringMatching(/^• Correction: Claude’s .* rose 9 points, not 13\./),
        expect.stringMatching(/^• Qwen’s .* rose 7 points\./),
      ],
    ])
    await desk.stop()
  },
)

test('a finding that is held goes nowhere if the correction of its report was urgent', async () => {
  const desk = await openDesk({
    digests: true,
    settings: { digest: { every: 'hour', unless: { minDelta: 20 } } },
  })
  await desk.take(finding(inTime))
  await desk.take(reported(13))
  await desk.take(reported(30))
  await desk.quiet()
  expect(desk.sent.map(({ headline }) => headline)).toEqual([expect.stringContaining('30 points, not 13')])
  await desk.clock.advance(60 * minuteMs)
  await desk.quiet()
  expect(desk.sent).toHaveLength(1)
  expect(await desk.outcome('poll_1')).toMatchObject({ state: 'merged', in: 'evt_1~2' })
  await desk.stop()
})
