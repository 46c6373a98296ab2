import { expect, test } from 'vitest'
import { configOf } from '../../support/app.ts'
import { openOffice } from '../../support/office.ts'

async function open() {
  const office = openOffice()
  return { ...office, app: await office.start(configOf([{ name: 'desk', type: 'console' }])) }
}

test('two applications run in one process, without a file, a socket or a timer of the machine', async () => {
  const [one, other] = await Promise.all([open(), open()])

  expect(await one.deliver(one.app.port, 'evt_1')).toBe(202)
  expect(await one.deliver(one.app.port, 'evt_1')).toBe(200)
  expect(await other.deliver(other.app.port, 'evt_1')).toBe(202)
  for (const { clock, shown } of [one, other]) {
    await clock.advance(1_000)
    expect(shown('desk').join()).toContain('evt_1')
  }
  const metrics = await one.http.ask(one.app.port, { method: 'GET', url: '/metrics' })
  expect(metrics.body).toContain('bluepencil_deliveries_received_total{outcome="accepted"} 1')
  expect(metrics.body).not.toContain('process_')

  for (const { app, clock, http, passing } of [one, other]) {
    await passing(app.stop())
    expect(http.listening()).toBe(0)
    expect(clock.sleeping()).toBe(0)
  }
})
