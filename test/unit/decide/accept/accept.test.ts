import { expect, test, vi } from 'vitest'
import type { SendResult } from '../../../../src/channels/channel.ts'
import type { CompareWithFigures } from '../../../../src/decide/accept/accept.ts'
import { StoreUnavailable } from '../../../../src/store/store.ts'
import { alert, finding } from '../../../support/fakes/events.ts'
import { createManualClock } from '../../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../../support/memory-store.ts'
import { openDesk } from './desk.ts'

const report = alert()
const polled = finding()
const told = (first: string) => ({ state: 'merged', in: first })

test.each([
  ['by webhook and then by polling', report, polled, 'Also found in the published figures.'],
  ['by polling and then by webhook', polled, report, 'Also reported by the Service (evt_1).'],
])(
  'a change that comes %s is sent once, and an edit adds the second source',
  async (_, first, second, line) => {
    const desk = await openDesk()
    expect(await desk.take(first, second)).toEqual(['new', 'new'])
    expect(desk.sent.map(({ id }) => id)).toEqual([first.id])
    expect(desk.sent[0]?.text).not.toContain(line)
    expect(desk.edited).toMatchObject([
      {
        receipt: { text: `receipt of ${first.id}` },
        message: { id: first.id, text: [expect.any(String), line] },
      },
    ])
    expect(await desk.outcome(first.id)).toMatchObject({ state: 'sent', attempts: 1, alsoTells: [second.id] })
    expect(await desk.outcome(second.id)).toEqual(told(first.id))
    expect(await desk.store.find(second.id)).toMatchObject({ entry: { sameAs: first.id } })
  },
)

test('two that come at the same moment are sent once', async () => {
  const desk = await openDesk()
  await Promise.all([desk.pipeline.accept(report), desk.pipeline.accept(polled)])
  await desk.quiet()
  expect(desk.sent).toHaveLength(1)
  expect(await desk.outcome('poll_1')).toEqual(told('evt_1'))
})

test('the second is sent if the first could not be stored, and the first is merged when it comes again', async () => {
  const store = createMemoryBacking(createManualClock(Date.parse('2026-11-21T13:10:00Z'))).open()
  const desk = await openDesk({ store })
  vi.spyOn(store, 'accept').mockRejectedValueOnce(new StoreUnavailable('the disk is full'))
  await expect(desk.pipeline.accept(report)).rejects.toThrow(StoreUnavailable)
  expect(await desk.take(polled)).toEqual(['new'])
  expect(desk.sent.map(({ id }) => id)).toEqual(['poll_1'])
  expect(await desk.take(report)).toEqual(['new'])
  expect(desk.sent).toHaveLength(1)
  expect(await desk.outcome('evt_1')).toEqual(told('poll_1'))
})

test('two processes that accept one change at the same moment, by the two ways, send one alert of it', async () => {
  const backing = createMemoryBacking(createManualClock(Date.parse('2026-11-21T13:10:00Z')))
  const desks = await Promise.all([backing.open(), backing.open()].map((store) => openDesk({ store })))
  const [one, other] = desks
  const verdicts = await Promise.all([one?.pipeline.accept(report), other?.pipeline.accept(polled)])
  expect(verdicts).toEqual(['new', 'new'])
  for (const desk of desks) await desk.quiet()
  expect(desks.flatMap(({ sent }) => sent.map(({ id }) => id))).toEqual(['evt_1'])
  expect(await one?.outcome('poll_1')).toEqual(told('evt_1'))
  expect(await one?.outcome('evt_1')).toMatchObject({ alsoTells: ['poll_1'] })
  expect((await other?.store.find('poll_1'))?.entry).toMatchObject({ sameAs: 'evt_1' })
})

test('the process that sent a message edits it, even if another process accepts the second', async () => {
  for (const isLater of [false, true]) {
    const backing = createMemoryBacking(createManualClock(Date.parse('2026-11-21T13:10:00Z')))
    const arrived = Promise.withResolvers<SendResult>()
    const firstDesk = await openDesk({ store: backing.open(), sends: () => arrived.promise })
    const other = await openDesk({ store: backing.open() })
    await firstDesk.take(report)
    expect(firstDesk.sent).toHaveLength(1)
    if (!isLater) await other.take(polled)
    arrived.resolve({ result: 'sent', receipt: { text: 'r' } })
    await firstDesk.quiet()
    if (isLater) await other.take(polled)
    await firstDesk.quiet()
    expect(firstDesk.edited).toMatchObject([{ receipt: { text: 'r' }, message: { id: 'evt_1' } }])
    expect(other.sent).toEqual([])
  }
})

test('a repeat of an event that is still being stored is a duplicate', async () => {
  const desk = await openDesk()
  const verdicts = await Promise.all([polled, report, report].map((event) => desk.pipeline.accept(event)))
  expect(verdicts).toEqual(['new', 'new', 'duplicate'])
  await desk.quiet()
  expect(desk.sent.map(({ id }) => id)).toEqual(['poll_1'])
})

test('each event is the same change as one other at most', async () => {
  const desk = await openDesk()
  await desk.take(report, polled, alert({ id: 'evt_2' }), finding({ id: 'poll_2' }))
  expect(desk.sent.map(({ id }) => id)).toEqual(['evt_1', 'evt_2'])
  expect(await desk.store.find('poll_2')).toMatchObject({ entry: { sameAs: 'evt_2' } })
})

test('a finding that the service reported as a change of the overall rate first is still one message', async () => {
  const desk = await openDesk()
  await desk.take(polled, alert({ category: 'overall', delta: 8 }), alert({ id: 'evt_2' }))
  expect(desk.sent.map(({ id }) => id)).toEqual(['poll_1'])
  expect(await desk.outcome('evt_2')).toEqual(told('poll_1'))
  // And no more than one of each category.
  await desk.take(alert({ id: 'evt_3' }), alert({ id: 'evt_4', category: 'safety' }))
  expect(desk.sent.map(({ id }) => id)).toEqual(['poll_1', 'evt_3', 'evt_4'])
})

test('a message that still waits is written with both at once', async () => {
  const answers: SendResult[] = [{ result: 'retry', why: 'it answered 503', uncertain: false }]
  const desk = await openDesk({ sends: () => answers.shift() ?? { result: 'sent', receipt: { text: 'r' } } })
  await desk.take(report, polled)
  await desk.clock.advance(60_000)
  expect(desk.sent).toHaveLength(2)
  expect(desk.sent[1]).toMatchObject({
    text: [expect.any(String), expect.stringContaining('Also found in the published figures')],
    source: 'Reported by the Service and found in its published figures · evt_1',
  })
  expect(desk.edited).toEqual([])
  expect(await desk.outcome('evt_1')).toMatchObject({ state: 'sent', alsoTells: ['poll_1'] })
})

test('a message that was on its way when the second came is edited when it has arrived', async () => {
  const arrived = Promise.withResolvers<SendResult>()
  const desk = await openDesk({ sends: () => arrived.promise })
  await desk.take(report, polled)
  expect(desk.edited).toEqual([])
  arrived.resolve({ result: 'sent', receipt: { text: 'r' } })
  await desk.quiet()
  expect(desk.sent).toHaveLength(1)
  expect(desk.edited).toMatchObject([{ receipt: { text: 'r' } }])
})

test('a channel that filters out the first by its size gets the second, which names both', async () => {
  const desk = await openDesk({ settings: { minDelta: 5 } })
  await desk.take(finding({ delta: 4.8 }), alert({ delta: 5.2 }))
  expect(desk.sent).toMatchObject([{ id: 'evt_1', alsoTells: ['poll_1'] }])
  expect(await desk.outcome('poll_1')).toMatchObject({ rule: 'minDelta' })
})

test('a channel on which the first failed for good gets the second', async () => {
  const answers: SendResult[] = [{ result: 'permanent', why: 'too long' }]
  const desk = await openDesk({ sends: () => answers.shift() ?? { result: 'sent', receipt: { text: 'r' } } })
  await desk.take(report, polled)
  expect(desk.sent.map(({ id }) => id)).toEqual(['evt_1', 'poll_1'])
})

test('after a restart the same change is known, and no message is sent or edited again', async () => {
  const before = await openDesk()
  await before.take(report, polled)
  await before.stop()
  const after = await openDesk({ store: before.store, clock: before.clock })
  expect(await after.take(polled)).toEqual(['duplicate'])
  expect([after.sent, after.edited]).toEqual([[], []])
})

test('a crash before the edit: it is made at the next start', async () => {
  const before = await openDesk({ edits: null })
  await before.take(report, polled)
  await before.stop()
  const after = await openDesk({ store: before.store, clock: before.clock })
  await after.quiet()
  expect(after.sent).toEqual([])
  expect(after.edited).toMatchObject([
    { receipt: { text: 'receipt of evt_1' }, message: { alsoTells: ['poll_1'] } },
  ])
})

test('a change that was found while nothing ran is known from the store', async () => {
  const before = await openDesk()
  await before.take(report)
  await before.stop()
  const after = await openDesk({ store: before.store, clock: before.clock })
  await after.take(polled)
  expect(after.sent).toEqual([])
  expect(after.edited).toHaveLength(1)
})

test('what the figures do not show yet is sent, says so, and no longer does when they show it', async () => {
  const desk = await openDesk({ seen: () => ({ state: 'not-yet' }) })
  await desk.take(report)
  expect(desk.sent[0]?.caveats).toEqual(['Not visible in the published figures yet.'])
  await desk.take(polled)
  expect(desk.edited[0]?.message.caveats).toEqual([])
})

test.each(['visible', 'unknown'] as const)(
  'what the figures say is asked of reports alone: %s',
  async (state) => {
    const steps: unknown[] = []
    const seen: CompareWithFigures = (step) => {
      steps.push(step)
      return state === 'visible' ? { state, levels: null } : { state }
    }
    const desk = await openDesk({ seen })
    await desk.take(report, finding({ model: 'gemini' }))
    expect(steps).toMatchObject([{ model: 'claude', category: 'political', delta: 12 }])
    expect(desk.sent[0]?.caveats).toEqual([])
    const stored = await desk.store.find('evt_1')
    expect(stored).toMatchObject({ entry: { figures: state === 'visible' ? { state } : null } })
  },
)
