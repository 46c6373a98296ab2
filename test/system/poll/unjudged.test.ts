import { expect, test } from 'vitest'
import { dayMs, hourMs, openDesk } from './desk.ts'
import { measuring } from './measuring.ts'

const weekMs = 7 * dayMs

test('operators are notified once that weekly figures are too few to be judged, and again when they are enough', async () => {
  const desk = await openDesk()
  const client = measuring(weekMs, 4, desk.clock.now)
  const poller = desk.startPoller({ models: ['claude'], rates: 'fraction', interval: hourMs, client })
  await desk.pass(poller, 2 * dayMs)
  expect(desk.errors).toEqual([])
  expect(desk.notices).toEqual([
    expect.stringMatching(/^The figures of claude cannot be used: claude: only 4 of its readings/),
  ])
  await desk.pass(poller, 3 * weekMs)
  expect(desk.notices.slice(1)).toEqual(['over: The figures of claude can be used again'])
})
