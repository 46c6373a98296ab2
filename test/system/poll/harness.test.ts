import { expect, test } from 'vitest'
import { dayMs, hourMs, openDesk } from './desk.ts'
import { measuring } from './measuring.ts'

test.each([true, false])(
  'what moves all five models at one reading is one alert, with a comparison of them (%s) or without',
  async (compares) => {
    const desk = await openDesk()
    const client = measuring(dayMs, 60, desk.clock.now, { rate: 0.32, compares })
    const poller = desk.startPoller({ rates: 'fraction', interval: hourMs / 2, client })
    await desk.pass(poller, 3 * dayMs)
    expect(desk.errors).toEqual([])
    expect(desk.taken.map(({ figures }) => figures?.sentence)).toEqual([
      expect.stringContaining('4 of 4 other models changed alike'),
    ])
  },
)
