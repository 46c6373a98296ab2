import { expect, test } from 'vitest'
import { alert, finding, levels } from '../../../support/fakes/events.ts'
import { openDesk } from './desk.ts'

const { figures } = finding()
const confirmed = finding({
  id: 'poll_2',
  confirms: 'poll_1',
  delta: 11,
  receivedAt: '2026-11-22T13:05:00.000Z',
  figures: figures && { ...figures, levels: levels({ now: { rate: 29, prompts: 1_000, readings: 2 } }) },
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
    headline: 'Claude refused 29% of political prompts, up from 18%.',
    text: [
      'Confirmed on 22 Nov 2026, 13:05 UTC by later readings: +11 percentage points.',
      ...(desk.sent[0]?.text ?? []),
    ],
  })
  expect(desk.edited[0]?.message.facts).toContainEqual({
    label: 'Now',
    value: '29.0% of 1,000 prompts (2 readings since 21 Nov 2026)',
  })
  expect((await desk.store.find('poll_2'))?.outcomes).toMatchObject({
    desk: { state: 'merged', in: 'poll_1' },
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
