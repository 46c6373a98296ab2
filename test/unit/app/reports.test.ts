import { expect, test } from 'vitest'
import { createStatusReports } from '../../../src/app/reports.ts'
import type { Entry } from '../../../src/event/event.ts'
import { configOf } from '../../support/app.ts'
import { alert, finding } from '../../support/fakes/events.ts'
import { openDesk } from '../decide/accept/desk.ts'

test('a change that came by both ways, or was confirmed, is one alert in the weekly report', async () => {
  const desk = await openDesk()
  await desk.take(finding(), finding({ id: 'poll_2', confirms: 'poll_1' }), alert())
  await desk.take(alert({ id: 'evt_2', model: 'gemini' }))
  expect(await reportOf(desk)).toContain(
    '2 alerts came in the last seven days, and 2 of them were sent here.',
  )
})

test('a change that went out in a digest counts as sent', async () => {
  const desk = await openDesk()
  await desk.take(alert())
  await desk.store.alter('evt_1', 'desk', () => ({ state: 'merged', in: 'digest_1' }))
  expect(await reportOf(desk)).toContain('1 alert came in the last seven days, and it was sent here.')
})

async function reportOf(desk: Awaited<ReturnType<typeof openDesk>>): Promise<string> {
  const taken: Entry[] = []
  const config = configOf([{ name: 'desk', type: 'console', statusReport: 'weekly' }])
  const send = createStatusReports(
    { clock: desk.clock, store: desk.store, incidents: { current: () => [] } },
    {
      current: () => ({ config }),
      accept: async (entry) => {
        taken.push(entry)
        return 'new'
      },
    },
  )
  await send()
  return JSON.stringify(taken)
}
