import { expect, test, vi } from 'vitest'
import { readDelivery } from '../../../../src/event/delivery.ts'
import type { AlertEvent } from '../../../../src/event/event.ts'
import type { Outcome } from '../../../../src/event/outcome.ts'
import { headline } from '../../../../src/message/render/headline.ts'
import { openSqliteStore } from '../../../../src/store/sqlite/open.ts'
import { StoreUnavailable } from '../../../../src/store/store.ts'
import { finding, noFigures } from '../../../support/fakes/events.ts'
import { createManualClock } from '../../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../../support/memory-store.ts'
import { damageStored } from '../../../support/stored.ts'
import { post, startEndpoint } from '../../intake/receive/endpoint.ts'
import { temporaryFolder } from '../../store/folder.ts'
import { openDesk } from './desk.ts'

const documented = {
  id: 'evt_1',
  type: 'censorship_spike',
  model: 'claude',
  data: { category: 'political', delta: '+12pp', detected_at: '2026-11-21T13:05:00Z' },
  methodology: 'https://monitor.example/methodology',
}

/** The body of a delivery that differs from the documented one in these fields. */
function body({ data = {}, ...changes }: { data?: object; [field: string]: unknown } = {}): string {
  return JSON.stringify({ ...documented, ...changes, data: { ...documented.data, ...data } })
}

function event(changes: Parameters<typeof body>[0] = {}): AlertEvent {
  return readDelivery(Buffer.from(body(changes)), {
    source: 'webhook',
    receivedAt: '2026-11-21T13:05:02.000Z',
  })
}

const delta = (points: string) => event({ data: { delta: points } })

async function openEndpoint(desk: Awaited<ReturnType<typeof openDesk>>) {
  const { port } = await startEndpoint({ accept: (one) => desk.pipeline.accept(one) })
  return async (text: string) => {
    const { status } = await post(port, text)
    await desk.quiet()
    return status
  }
}

test('other content under a known id is answered 202, and sent as a correction with both figures', async () => {
  const desk = await openDesk()
  const deliver = await openEndpoint(desk)
  expect(await deliver(body())).toBe(202)
  expect(await deliver(body({ data: { delta: '+2pp' } }))).toBe(202)
  expect(desk.sent.map(({ id }) => id)).toEqual(['evt_1', 'evt_1~2'])
  expect(desk.sent[1]).toMatchObject({
    kicker: 'Censorship spike',
    headline: 'Correction: Claude’s refusal rate on political prompts rose 2 points, not 12.',
    text: [
      expect.any(String),
      'This corrects an earlier report by the Service (evt_1, detected on 21 Nov 2026, 13:05 UTC): +12 percentage points. The service now reports +2 percentage points.',
    ],
    facts: expect.arrayContaining([
      { label: 'Reported change', value: '+2 percentage points' },
      { label: 'Previously reported', value: '+12 percentage points' },
    ]),
  })
  const stored = await desk.store.find('evt_1~2')
  expect(stored).toMatchObject({
    entry: { revises: 'evt_1', body: { text: body({ data: { delta: '+2pp' } }) } },
  })
})

test('white space and the order of keys are no other content', async () => {
  const desk = await openDesk()
  const deliver = await openEndpoint(desk)
  expect(await deliver(body())).toBe(202)
  expect(await deliver(JSON.stringify(JSON.parse(body()), null, 4))).toBe(200)
  expect(await deliver(JSON.stringify(Object.fromEntries(Object.entries(documented).reverse())))).toBe(200)
  expect(desk.sent).toHaveLength(1)
})

test('a repeat of any of the contents is answered 200 and sends nothing, after a restart too', async () => {
  const before = await openDesk()
  await before.take(delta('+12pp'), delta('+2pp'), delta('+2pp'), delta('+12pp'))
  expect(before.sent).toHaveLength(2)
  await before.stop()
  const after = await openDesk({ store: before.store, clock: before.clock })
  const deliver = await openEndpoint(after)
  expect(await deliver(body())).toBe(200)
  expect(await deliver(body({ data: { delta: '+2pp' } }))).toBe(200)
  expect(after.sent).toEqual([])
  // And a third corrects what was said last.
  expect(await deliver(body({ data: { delta: '+3pp' } }))).toBe(202)
  expect(after.sent).toMatchObject([
    {
      id: 'evt_1~3',
      headline: 'Correction: Claude’s refusal rate on political prompts rose 3 points, not 2.',
    },
  ])
  expect(await after.store.find('evt_1~3')).toMatchObject({ entry: { revises: 'evt_1~2' } })
})

test('a correction goes to who had the first and to who wants the second, and the outcome says why', async () => {
  const others = { large: { minDelta: 10 }, small: { minDelta: 0 }, gemini: { models: ['gemini'] } }
  const desk = await openDesk({ others })
  await desk.take(delta('+12pp'))
  let outcomes: Record<string, Outcome> | undefined
  const { accept } = desk.store
  vi.spyOn(desk.store, 'accept').mockImplementation(async (batch) => {
    const verdicts = await accept(batch)
    outcomes = (await desk.store.find('evt_1~2'))?.outcomes
    return verdicts
  })
  await desk.take(delta('+2pp'))
  vi.mocked(desk.store.accept).mockRestore()
  expect(desk.elsewhere.large?.map(({ id }) => id)).toEqual(['evt_1', 'evt_1~2'])
  expect(desk.elsewhere.gemini).toEqual([])
  expect(outcomes).toMatchObject({
    large: {
      state: 'waiting',
      why: 'not tried yet; it corrects evt_1, which was sent here or is about to be',
    },
    gemini: { state: 'not_sent', rule: 'models' },
  })

  // The other way round: who was not sent the first is sent what passes now.
  await desk.take(event({ id: 'evt_2', data: { delta: '+4pp' } }))
  expect(await desk.outcome('evt_2', 'large')).toMatchObject({ rule: 'minDelta' })
  await desk.take(event({ id: 'evt_2', data: { delta: '+40pp' } }))
  expect(desk.elsewhere.large?.at(-1)).toMatchObject({
    headline: 'Correction: Claude’s refusal rate on political prompts rose 40 points, not 4.',
  })
})

test('a channel that still waits for the first gets both, in their order', async () => {
  let isUp = false
  const desk = await openDesk({
    sends: () =>
      isUp
        ? { result: 'sent', receipt: { text: 'r' } }
        : { result: 'retry', why: 'it answered 503', uncertain: false },
  })
  await desk.take(delta('+12pp'), delta('+2pp'))
  isUp = true
  desk.sent.splice(0)
  await desk.clock.advance(10 * 60_000)
  expect(desk.sent.map(({ id }) => id)).toEqual(['evt_1', 'evt_1~2'])
})

test.each([
  ['a counter of deliveries', { attempt: 2 }],
  ['another address', { methodology: 'https://monitor.example/elsewhere' }],
  ['the same size, written otherwise', { data: { delta: '+12.00 pp' } }],
  ['a later second of the same minute', { data: { detected_at: '2026-11-21T13:05:41.204Z' } }],
])('%s is kept, and sent to nobody', async (_, changes) => {
  const desk = await openDesk()
  const deliver = await openEndpoint(desk)
  await deliver(body())
  expect(await deliver(body(changes))).toBe(202)
  expect(await deliver(body(changes))).toBe(200)
  expect(desk.sent).toHaveLength(1)
  expect(await desk.outcome('evt_1~2')).toEqual({
    state: 'not_sent',
    rule: 'nothing-new',
    why: 'it shows readers the same as evt_1',
  })
  // Where a person has it sent all the same, it corrects nothing.
  const entry = (await desk.store.find('evt_1~2'))?.entry
  expect(entry?.kind === 'alert' && headline(entry)).toBe(
    'Claude’s refusal rate on political prompts rose 12 points.',
  )
  // What follows corrects what was sent.
  await deliver(body({ data: { delta: '+2pp' } }))
  expect(desk.sent[1]?.headline).toBe(
    'Correction: Claude’s refusal rate on political prompts rose 2 points, not 12.',
  )
})

test('what is delivered and then listed, with fields of the list, is one event', async () => {
  const desk = await openDesk()
  const listed = { ...event({ delivered: true }), source: 'poll' as const }
  expect(await desk.take(event(), listed)).toEqual(['new', 'duplicate'])
  expect(await desk.store.list({ limit: 10 })).toHaveLength(1)
  // What the list says otherwise is a correction.
  expect(await desk.take({ ...delta('+2pp'), source: 'poll' })).toEqual(['new'])
  expect(desk.sent[1]?.headline).toMatch(/^Correction: /)
})

test('a correction of the time of detection alone names both times, and not the same size twice', async () => {
  const desk = await openDesk()
  await desk.take(event(), event({ data: { detected_at: '2026-11-21T09:40:00Z' } }))
  expect(desk.sent[1]).toMatchObject({
    headline: 'Correction: Claude’s refusal rate on political prompts rose 12 points.',
    text: [
      expect.any(String),
      'This corrects an earlier report by the Service (evt_1, detected on 21 Nov 2026, 13:05 UTC): +12 percentage points. The service now gives 21 Nov 2026, 09:40 UTC as the time of detection.',
    ],
  })
})

test.each<[string, Parameters<typeof body>[0], string]>([
  [
    'its category',
    { data: { category: 'safety' } },
    'Claude’s refusal rate on safety prompts rose 12 points.',
  ],
  ['its model', { model: 'gemini' }, 'Gemini’s refusal rate on political prompts rose 12 points.'],
  [
    'its date by more than three days, and its size',
    { data: { delta: '+9pp', detected_at: '2026-11-30T13:05:00Z' } },
    'Claude’s refusal rate on political prompts rose 9 points.',
  ],
])('what differs in %s is another event under a used id, and says so', async (_, changes, headline) => {
  const desk = await openDesk()
  await desk.take(event(), event(changes))
  expect(desk.sent[1]).toMatchObject({
    id: 'evt_1~2',
    headline,
    caveats: [
      expect.stringContaining('id (the service had used evt_1 before, for something else)'),
      expect.any(String),
    ],
  })
  expect(desk.reused).toEqual([{ id: 'evt_1', contents: 2 }])
})

test.each<[string, Parameters<typeof body>[0], string]>([
  [
    'a size that could not be read',
    { data: { delta: 'about 12' } },
    'Correction: Claude’s refusal rate on political prompts rose 2 points.',
  ],
  [
    'a rise that is a fall',
    { data: { delta: '-2pp' } },
    'Correction: Claude’s refusal rate on political prompts rose 2 points; first reported as down 2.',
  ],
  [
    'no change',
    { data: { delta: '+0pp' } },
    'Correction: Claude’s refusal rate on political prompts rose 2 points; first reported as unchanged.',
  ],
  [
    'a model that was missing',
    { model: undefined, data: { delta: '+2pp' } },
    'Correction: Claude’s refusal rate on political prompts rose 2 points.',
  ],
  [
    'a date that was a year wrong',
    { data: { delta: '+2pp', detected_at: '2025-11-21T13:05:00Z' } },
    'Correction: Claude’s refusal rate on political prompts rose 2 points.',
  ],
])('a correction of %s', async (_, first, headline) => {
  const desk = await openDesk()
  await desk.take(event(first), delta('+2pp'))
  expect(desk.sent.at(-1)?.headline).toBe(headline)
  expect(desk.reused).toEqual([])
})

test('a service that uses one id for everything: each is stored and sent, and operators are notified once', async () => {
  const desk = await openDesk()
  const deliver = await openEndpoint(desk)
  const bodies = Array.from({ length: 15 }, (_, index) =>
    body({ model: index % 2 === 0 ? 'claude' : 'gemini', data: { delta: `+${index + 1}pp` } }),
  )
  for (const body of bodies) expect(await deliver(body)).toBe(202)
  expect(desk.sent).toHaveLength(15)
  for (const body of bodies) expect(await deliver(body)).toBe(200)
  expect(desk.sent).toHaveLength(15)
  expect(desk.reused).toEqual([{ id: 'evt_1', contents: 2 }])
})

test('operators are notified once of more than three contents, even if each is a correction', async () => {
  const desk = await openDesk()
  for (let points = 1; points <= 6; points += 1) await desk.take(delta(`+${points}pp`))
  expect(desk.sent.at(-1)?.headline).toBe(
    'Correction: Claude’s refusal rate on political prompts rose 6 points, not 5.',
  )
  expect(desk.reused).toEqual([{ id: 'evt_1', contents: 4 }])
})

test('two other contents at the same moment are both kept, and the later corrects the earlier', async () => {
  const desk = await openDesk()
  await desk.take(delta('+12pp'))
  const verdicts = await Promise.all(
    ['+2pp', '+3pp', '+2pp'].map((points) => desk.pipeline.accept(delta(points))),
  )
  expect(verdicts).toEqual(['new', 'new', 'duplicate'])
  await desk.quiet()
  // The first may be sent before the second is stored: then it is edited.
  const standing = desk.sent.map(
    (sent) => desk.edited.findLast(({ message }) => message.id === sent.id)?.message ?? sent,
  )
  expect(standing.map(({ headline }) => headline).slice(1)).toEqual([
    'CORRECTED: Claude’s refusal rate on political prompts rose 2 points, not 12.',
    'Correction: Claude’s refusal rate on political prompts rose 3 points, not 2.',
  ])
})

test('a correction that cannot be stored is refused, and corrects when it comes again', async () => {
  const store = createMemoryBacking(createManualClock(Date.parse('2026-11-21T13:10:00Z'))).open()
  const desk = await openDesk({ store })
  await desk.take(delta('+12pp'))
  const { accept } = store
  const fails = vi.spyOn(store, 'accept').mockImplementation(async (batch) => {
    if (batch.some(({ entry }) => entry.id.includes('~'))) throw new StoreUnavailable('the disk is full')
    return accept(batch)
  })
  await expect(desk.pipeline.accept(delta('+2pp'))).rejects.toThrow(StoreUnavailable)
  fails.mockRestore()
  expect(await desk.take(delta('+2pp'))).toEqual(['new'])
  expect(desk.sent).toHaveLength(2)
})

/** A desk that took these events, and was started again when the row of one of them was damaged. */
async function deskThatLost(lost: string, ...events: AlertEvent[]) {
  const folder = await temporaryFolder()
  const openStore = () =>
    openSqliteStore(folder, { now: () => Date.parse(event().receivedAt), onTrouble: () => undefined })
  const before = await openDesk({ store: await openStore() })
  await before.take(...events)
  expect(before.sent).toHaveLength(events.length)
  await before.stop()
  await before.store.close()
  damageStored(folder, `update entries set entry = replace(entry, 'claude', 'cl4ude') where id = '${lost}'`)
  const after = await openDesk({ store: await openStore(), clock: before.clock })
  expect(await after.store.find(lost)).toBeUndefined()
  return after
}

const listed = (points: string): AlertEvent => ({
  ...event({ delivered: true, data: { delta: points } }),
  source: 'poll',
})

test('an event whose file was lost is not sent again when it is listed, or delivered again', async () => {
  const desk = await deskThatLost('evt_1', event(), event({ id: 'evt_2' }))
  expect(await desk.take(listed('+12pp'), event())).toEqual(['duplicate', 'duplicate'])
  expect(desk.sent).toEqual([])
})

test('a correction whose file was lost is not sent again when it is listed', async () => {
  const desk = await deskThatLost('evt_1~2', delta('+12pp'), delta('+2pp'))
  expect(await desk.take(listed('+2pp'))).toEqual(['duplicate'])
  expect(desk.sent).toEqual([])
})

test('other content under the id of an event whose file was lost is sent, and says so', async () => {
  const desk = await deskThatLost('evt_1', event(), event({ id: 'evt_2', model: 'gemini' }))
  expect(await desk.take(delta('+2pp'), delta('+2pp'))).toEqual(['new', 'duplicate'])
  expect(desk.sent).toMatchObject([
    {
      id: 'evt_1~2',
      caveats: [
        expect.stringContaining(
          'id (the service had used evt_1 before, for an event that is no longer stored)',
        ),
        expect.any(String),
      ],
    },
  ])
})

const findingOf = (points: number) =>
  finding({
    delta: points,
    figures: { ...noFigures, state: 'visible', rate: 30, standardErrors: points / 2 },
  })

test('a report and its finding stay a pair when the report is corrected', async () => {
  const desk = await openDesk()
  await desk.take(delta('+12pp'), findingOf(12), delta('+2pp'))
  expect(desk.sent.map(({ id }) => id)).toEqual(['evt_1', 'evt_1~2'])
  expect(desk.edited.map(({ message }) => [message.id, message.alsoTells])).toEqual([
    ['evt_1', ['poll_1']],
    ['evt_1', ['poll_1', 'evt_1~2']],
  ])
  expect(await desk.store.find('evt_1~2')).toMatchObject({ entry: { sameAs: null } })
  // The correction confirms nothing either.
  await desk.take(finding({ ...findingOf(2), id: 'poll_2' }))
  expect(desk.sent.at(-1)?.id).toBe('poll_2')
})

test.each([false, true])(
  'what was corrected before the figures show it is confirmed as it was corrected (restart: %s)',
  async (restarts) => {
    let desk = await openDesk()
    await desk.take(delta('+40pp'), delta('+12pp'))
    if (restarts) {
      await desk.stop()
      desk = await openDesk({ store: desk.store, clock: desk.clock })
    }
    const sent = desk.sent.length
    await desk.take(findingOf(12))
    expect(desk.sent).toHaveLength(sent)
    expect(desk.edited.at(-1)).toMatchObject({ message: { id: 'evt_1~2', alsoTells: ['poll_1'] } })
    expect(await desk.store.find('poll_1')).toMatchObject({ entry: { sameAs: 'evt_1~2' } })
  },
)

test('a report that confirmed a finding and is then corrected: who was sent the finding is sent the correction', async () => {
  const desk = await openDesk({ settings: { minDelta: 5 } })
  await desk.take(findingOf(12), delta('+12pp'), delta('+2pp'))
  expect(desk.sent.map(({ id }) => id)).toEqual(['poll_1', 'evt_1~2'])
})

test('what the service says again after it corrected it is not sent, and operators are notified', async () => {
  const desk = await openDesk()
  await desk.take(delta('+12pp'), delta('+2pp'), event({ sequence: 3 }))
  expect(desk.sent).toHaveLength(2)
  expect(desk.reused).toEqual([{ id: 'evt_1~3', contents: 3, isEarlier: true }])
  // The same as what was said last is no news to anybody.
  await desk.take(event({ sequence: 4, data: { delta: '+2pp' } }))
  expect(desk.reused).toHaveLength(1)
  // By the id of the notice it can be sent, as what it says.
  await desk.pipeline.replay('evt_1~3', 'desk')
  await desk.quiet()
  expect(desk.sent[2]?.headline).toBe('Claude’s refusal rate on political prompts rose 12 points.')
})

const inList = (changes: Parameters<typeof body>[0] = {}): AlertEvent =>
  readDelivery(Buffer.from(body(changes)), { source: 'poll', receivedAt: '2026-11-21T13:20:00.000Z' })

test('a list that says less than what was delivered corrects nothing', async () => {
  const desk = await openDesk()
  await desk.take(delta('+12pp'))
  await desk.take(inList({ data: { delta: undefined, detected_at: 'a while ago' } }))
  await desk.take(inList({ type: undefined, data: { category: undefined } }))
  expect(desk.sent).toHaveLength(1)
  // What it says is another size: that corrects it.
  await desk.take(inList({ data: { delta: '+9pp', detected_at: undefined } }))
  expect(desk.sent[1]?.headline).toContain('rose 9 points, not 12')
})

test.each<[string, AlertEvent[]]>([
  ['in both', [corrected(), correctedInList()]],
  ['in both, in the list first', [correctedInList(), corrected()]],
  ['in the list alone', [correctedInList()]],
])('what is delivered, and listed under another id, is corrected once: %s', async (_, corrections) => {
  const desk = await openDesk()
  await desk.take(delta('+12pp'), inList({ id: 'alert_7' }), ...corrections)
  expect(desk.sent).toHaveLength(2)
  expect(desk.sent[1]?.headline).toBe(
    'Correction: Claude’s refusal rate on political prompts rose 2 points, not 12.',
  )
  expect(JSON.stringify(desk.sent[1])).not.toContain('the service had used')
  expect(desk.reused).toEqual([])
})

function corrected(): AlertEvent {
  return delta('+2pp')
}

function correctedInList(): AlertEvent {
  return inList({ id: 'alert_7', data: { delta: '+2pp' } })
}

test('a delivery that the list shows under another id is sent once', async () => {
  const desk = await openDesk()
  await desk.take(delta('+12pp'), inList({ id: 'alert_7' }))
  expect(desk.sent).toHaveLength(1)
  expect((await desk.store.find('alert_7'))?.outcomes).toMatchObject({
    desk: { state: 'not_sent', rule: 'nothing-new', why: 'it shows readers the same as evt_1' },
  })
  // Each stands for one: a second one in the list is an alert that was not delivered.
  await desk.take(inList({ id: 'alert_8' }))
  expect(desk.sent).toHaveLength(2)
})
