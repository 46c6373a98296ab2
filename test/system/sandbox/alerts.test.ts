import { expect, test } from 'vitest'
import * as z from 'zod'
import { startReceiver } from './receiver.ts'
import { startWithClock } from './started.ts'

const Alerts = z.array(z.looseObject({ id: z.string(), data: z.looseObject({ detected_at: z.string() }) }))

test('unless the dialect has it, there is no list of alerts', async () => {
  const { ask } = await startWithClock()
  expect((await ask('GET', '/monitoring/alerts')).status).toBe(404)
})

test('alerts are what deliveries carry, newest first, even without a subscription', async () => {
  const receiver = await startReceiver()
  const { ask, subscribe, sandbox, clock } = await startWithClock({ dialect: { alerts: 'present' } })
  sandbox.fire({ id: 'evt_unheard' })
  await clock.advance(1_000)
  await subscribe(receiver.url)
  sandbox.fire({ id: 'evt_heard', repeat: 2 })
  await receiver.until(2)
  const alerts = Alerts.parse((await ask('GET', '/monitoring/alerts?since=2026-03-01T09:10:00Z')).body)
  expect(alerts.map(({ id }) => id)).toEqual(['evt_heard', 'evt_unheard'])
  expect(alerts[0]).toEqual(JSON.parse(String(receiver.received[0]?.body)))
})

test('alerts reach back over the year before the start, and can be oldest first', async () => {
  const { ask } = await startWithClock({ dialect: { alerts: 'present', 'alerts-order': 'oldest-first' } })
  const times = Alerts.parse((await ask('GET', '/monitoring/alerts')).body).map(
    ({ data }) => data.detected_at,
  )
  expect(times.length).toBeGreaterThan(10)
  expect(times).toEqual(times.toSorted())
  const later = times.filter((time) => time >= '2025-09-01')
  expect((await ask('GET', '/monitoring/alerts?since=2025-09-01T00:00:00.000Z')).body).toHaveLength(
    later.length,
  )
})

test('a since that is no time answers 400', async () => {
  const { ask } = await startWithClock({ dialect: { alerts: 'present' } })
  for (const since of ['yesterday', '2026', '2026-13-41T00:00:00Z', '']) {
    expect((await ask('GET', `/monitoring/alerts?since=${since}`)).status).toBe(400)
  }
})
