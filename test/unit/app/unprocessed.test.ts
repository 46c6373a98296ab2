import { expect, test } from 'vitest'
import { StoreUnavailable } from '../../../src/store/store.ts'
import { configOf } from '../../support/app.ts'
import { openOffice } from '../../support/office.ts'

const desk = { name: 'desk', type: 'console' }

test('an event that cannot be processed is stored and answered 202; operators know, and it can be sent', async () => {
  const office = openOffice()
  const app = await office.start(configOf([desk]))
  let calls = 0
  office.before.accept = async () => {
    if (calls++ === 0) throw new TypeError('cannot read properties of undefined')
  }
  expect(await office.deliver(app.port, 'evt_1')).toBe(202)
  expect(await office.deliver(app.port, 'evt_1')).toBe(200)
  await office.clock.advance(1_000)
  const failed = { state: 'failed', why: 'it could not be processed; see the log' }
  expect((await office.store.find('evt_1'))?.outcomes).toMatchObject({ desk: failed, ops: failed })
  expect(office.alerts()).toEqual(['An event could not be processed and was not sent'])
  await office.control().replay('evt_1', 'desk')
  await office.clock.advance(1_000)
  expect(office.shown('desk')).toHaveLength(1)
  await office.passing(app.stop())
})

test('one that cannot even be stored for a reason of our own is answered 500, and the store is not blamed', async () => {
  const office = openOffice()
  const app = await office.start(configOf([desk]))
  office.before.accept = async ([first]) => {
    if (first?.entry.kind === 'alert') throw new TypeError('cannot read properties of undefined')
  }
  expect(await office.deliver(app.port, 'evt_1')).toBe(500)
  await office.clock.advance(1_000)
  expect(office.alerts()).toEqual(['An event could not be processed'])
  const { body } = await office.http.ask(app.port, { method: 'GET', url: '/metrics' })
  expect(body).toContain('bluepencil_deliveries_received_total{outcome="failed"} 1')

  office.before.accept = () => Promise.reject(new StoreUnavailable('the disk is full'))
  expect(await office.deliver(app.port, 'evt_2')).toBe(503)
  await office.clock.advance(1_000)
  expect(office.alerts()).toContain('The store cannot be written')
  await office.passing(app.stop())
})
