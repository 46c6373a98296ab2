import { expect, test } from 'vitest'
import { alert, finding } from '../../../support/fakes/events.ts'
import { openDesk } from './desk.ts'

const withdrawn = finding({ id: 'poll_2', revises: 'poll_1', delta: 0 })

test('what polling found and takes back is sent as a correction, once, to who had it', async () => {
  const desk = await openDesk({ others: { mail: {}, large: { minDelta: 20 } } })
  expect(await desk.take(finding(), withdrawn)).toEqual(['new', 'new'])
  expect(await desk.take(withdrawn)).toEqual(['duplicate'])
  expect(desk.sent.map(({ id }) => id)).toEqual(['poll_1', 'poll_2'])
  expect(desk.sent[1]).toMatchObject({
    headline:
      'Correction: Claude’s refusal rate on political prompts did not change; first reported as up 12 points.',
    text: [
      'Bluepencil withdraws an earlier alert. Later figures from the Service do not confirm it.',
      'The earlier alert said +12 percentage points, based on one reading (poll_1, detected on 21 Nov 2026, 13:05 UTC).',
    ],
  })
  expect(desk.elsewhere.mail?.map(({ id }) => id)).toEqual(['poll_1', 'poll_2'])
  expect(desk.elsewhere.large).toEqual([])
  expect((await desk.store.find('poll_2'))?.outcomes.large).toMatchObject({
    state: 'not_sent',
    rule: 'nothing-new',
    why: 'it withdraws poll_1, which was not sent here',
  })
})

test('what was never stored is not taken back', async () => {
  const desk = await openDesk()
  expect(await desk.take(withdrawn)).toEqual(['duplicate'])
  expect(desk.sent).toEqual([])
  expect(await desk.store.find('poll_2')).toBeUndefined()
})

test.each([
  ['before', [alert(), finding()]],
  ['after', [finding(), alert()]],
])('what the service reported %s polling found it is not taken back', async (_, events) => {
  const desk = await openDesk()
  await desk.take(...events)
  expect(await desk.take(withdrawn)).toEqual(['duplicate'])
  expect(desk.sent).toHaveLength(1)
})

test.each([false, true])(
  'what the service reports after it was taken back is an alert of its own (after a restart: %s)',
  async (restarts) => {
    const before = await openDesk()
    await before.take(finding(), withdrawn)
    if (restarts) await before.stop()
    const desk = restarts ? await openDesk({ store: before.store, clock: before.clock }) : before
    expect(await desk.take(alert())).toEqual(['new'])
    expect((await desk.store.find('evt_1'))?.entry).toMatchObject({ sameAs: null })
    expect(desk.sent.at(-1)?.id).toBe('evt_1')
  },
)
