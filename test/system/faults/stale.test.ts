import { expect, test } from 'vitest'
import { hour, minute, openDesk } from './desk.ts'

const day = 24 * hour
const dated = (milliseconds: number) => ({
  data: {
    category: 'political',
    delta: '+12pp',
    detected_at: new Date(milliseconds).toISOString().replace(/\.000Z$/, 'Z'),
  },
})

test('an event that is dated a year ago is not sent, and operators are sent what it says and how to send it', async () => {
  const desk = await openDesk({ channels: [{ name: 'desk', type: 'console' }] })
  expect(await desk.deliver('evt_old', dated(Date.parse('2025-11-21T12:59:00Z')))).toBe(202)
  await desk.hears(1)
  const [notice = ''] = desk.toldInFull()
  expect(notice).toContain(
    'An old event was stored but not sent: Claude’s refusal rate on political prompts rose 12 points.',
  )
  expect(notice).toContain('detected 2025-11-21T12:59:00.000Z')
  expect(notice).toContain('bluepencil replay evt_old desk')
  expect(await desk.outcome('evt_old', 'desk')).toMatchObject({ state: 'not_sent', rule: 'stale' })
  expect(desk.shown('desk')).toEqual([])
  await desk.replay('evt_old', 'desk')
  await desk.pass(minute)
  expect(desk.shown('desk')).toHaveLength(1)
})

test('a flood of old events is two notices in an hour, with their number', async () => {
  const desk = await openDesk({ channels: [{ name: 'desk', type: 'console' }] })
  for (let number = 0; number < 40; number += 1)
    await desk.deliver(`evt_${number}`, dated(desk.now() - 400 * day))
  await desk.hears(1)
  await desk.pass(2 * hour)
  expect(await desk.hears(2)).toEqual([
    'An old event was stored but not sent: Claude’s refusal rate on political prompts rose 12 points.',
    '39 more within the hour: An old event was stored but not sent: Claude’s refusal rate on political prompts rose 12 points.',
  ])
})

test('an old event that no channel asks for is no news to operators', async () => {
  const desk = await openDesk({ channels: [{ name: 'desk', type: 'console', models: ['gemini'] }] })
  await desk.deliver('evt_old', dated(desk.now() - 400 * day))
  await desk.pass(minute)
  expect(await desk.outcome('evt_old', 'desk')).toMatchObject({ rule: 'models' })
  expect(desk.told()).toEqual([])
})

test('an event that is dated next year is sent, with a remark', async () => {
  const desk = await openDesk({ channels: [{ name: 'desk', type: 'console' }] })
  await desk.deliver('evt_next', dated(Date.parse('2027-11-21T12:59:00Z')))
  await desk.pass(minute)
  expect(desk.shown('desk')).toEqual([expect.stringContaining('more than a day after it was received')])
})
