import { expect, test } from 'vitest'
import { alert, finding } from '../../support/fakes/events.ts'
import { openDesk } from './desk.ts'

const { figures } = finding()
const confirmed = finding({
  id: 'poll_2',
  confirms: 'poll_1',
  delta: 11,
  receivedAt: '2026-11-22T13:05:00.000Z',
  figures: figures && { ...figures, sentence: '29 % of 1,000 in 2 readings, against 18 % over 30 days' },
})

test('what is confirmed says so in the message where it stands, and is sent to nobody', async () => {
  const desk = await openDesk({ others: { mail: {} } })
  expect(await desk.take(finding(), confirmed)).toEqual(['new', 'new'])
  expect(await desk.take(confirmed)).toEqual(['duplicate'])
  expect(desk.sent.map(({ id }) => id)).toEqual(['poll_1'])
  expect(desk.elsewhere.mail?.map(({ id }) => id)).toEqual(['poll_1'])
  expect(desk.edited).toHaveLength(1)
  expect(desk.edited[0]?.message).toMatchObject({
    id: 'poll_1',
    tone: 'rise',
    headline: desk.sent[0]?.headline,
    text: [
      'Confirmed on 22 Nov 2026, 13:05 UTC by the readings after it: +11 percentage points.',
      ...(desk.sent[0]?.text ?? []),
    ],
  })
  expect(desk.edited[0]?.message.facts).toContainEqual({
    label: 'Published figures',
    value: '29 % of 1,000 in 2 readings, against 18 % over 30 days',
  })
  expect((await desk.store.find('poll_2'))?.outcomes).toMatchObject({
    desk: { state: 'told', in: 'poll_1' },
    mail: { state: 'not_sent', rule: 'nothing-new', why: 'it confirms poll_1' },
  })
})

test('what the service reports after that is still the same change', async () => {
  const desk = await openDesk()
  await desk.take(finding(), confirmed, alert())
  expect((await desk.store.find('evt_1'))?.entry).toMatchObject({ sameAs: 'poll_1' })
  expect(desk.sent).toHaveLength(1)
})

test.each([
  ['what was never stored', []],
  ['what the service reported before', [alert(), finding()]],
])('%s is not confirmed', async (_, events) => {
  const desk = await openDesk()
  await desk.take(...events)
  expect(await desk.take(confirmed)).toEqual(['duplicate'])
})
