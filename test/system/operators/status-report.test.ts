import { expect, test } from 'vitest'
import { configOf } from '../../support/app.ts'
import { openOffice } from '../../support/office.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** A desk on a Saturday afternoon. `readers` gets a report each Monday at nine in Berlin, eight by UTC. */
function openDesk() {
  const office = openOffice()
  const config = configOf([
    {
      name: 'readers',
      type: 'console',
      statusReport: 'weekly',
      timeZone: 'Europe/Berlin',
      models: ['claude'],
    },
    { name: 'others', type: 'console' },
  ])
  const reports = () => office.shown('readers').filter((text) => text.includes('Weekly status report'))
  /** Leaves out most of each four hours; in their last minutes, all that has been due since has its time. */
  async function until(time: string) {
    const end = Date.parse(time)
    while (office.clock.now() < end) {
      const next = Math.min(office.clock.now() + 4 * hour, end)
      office.clock.set(Math.max(office.clock.now(), next - 5 * minute))
      await office.clock.advance(next - office.clock.now())
    }
  }
  return { ...office, config, reports, until }
}

test('a channel that wants it gets one report a week, at its hour, over restarts', async () => {
  const desk = openDesk()
  let app = await desk.start(desk.config)
  await desk.passUntil(() => desk.reports().length === 1)
  await desk.deliver(app.port, 'evt_1')
  await desk.deliver(app.port, 'evt_2', { model: 'gemini' })
  await desk.until('2026-11-23T07:59:00Z')
  await desk.passing(app.stop())
  app = await desk.start(desk.config)
  await desk.clock.advance(30_000)
  expect(desk.reports()).toHaveLength(1)

  await desk.passUntil(() => desk.reports().length === 2)
  expect(desk.clock.now()).toBeLessThan(Date.parse('2026-11-23T08:02:00Z'))
  expect(desk.reports()[1]).toContain('Bluepencil is watching Claude')
  expect(desk.reports()[1]?.replace(/\s+/g, ' ')).toContain(
    '2 alerts came in the last seven days, and one of them was sent here. Last delivery: 21 Nov 2026, 16:05 CET.',
  )
  for (const time of ['2026-11-23T12:00:00Z', '2026-11-24T08:00:00Z']) {
    await desk.passing(app.stop())
    await desk.until(time)
    app = await desk.start(desk.config)
    await desk.clock.advance(2 * minute)
  }
  await desk.until('2026-11-30T07:59:00Z')
  expect(desk.reports()).toHaveLength(2)
  await desk.passUntil(() => desk.reports().length === 3)
  expect(desk.shown('others').join()).not.toContain('status report')
  expect(desk.shown('ops').join()).not.toContain('status report')
  await desk.passing(app.stop())
})

test('where nothing ran at the hour it is sent at the next start in that week, and not several', async () => {
  const desk = openDesk()
  const first = await desk.start(desk.config)
  await desk.passUntil(() => desk.reports().length === 1)
  await desk.passing(first.stop())
  desk.clock.set(desk.clock.now() + 24 * day)
  const app = await desk.start(desk.config)
  await desk.passUntil(() => desk.reports().length === 2)
  await desk.clock.advance(hour)
  expect(desk.reports()).toHaveLength(2)
  await desk.passing(app.stop())
})

test('two processes at one store send it once', async () => {
  const desk = openDesk()
  const apps = [await desk.start(desk.config), await desk.start(desk.config)]
  await desk.passUntil(() => desk.reports().length > 0)
  await desk.until('2026-11-23T08:05:00Z')
  expect(desk.reports()).toHaveLength(2)
  await desk.passing(Promise.all(apps.map((app) => app.stop())))
})

test('it says what is wrong', async () => {
  const desk = openDesk()
  const app = await desk.start(desk.config)
  app.reloadFailed(new Error('line 3: no such key'))
  await desk.until('2026-11-23T08:05:00Z')
  expect(desk.reports().at(-1)?.replace(/\s+/g, ' ')).toContain(
    'Current problems: The changed configuration cannot be used',
  )
  await desk.passing(app.stop())
})
