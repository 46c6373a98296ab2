import { expect, test } from 'vitest'
import { desiredAlerts } from '../../../src/config/derived.ts'
import { configOf } from '../../support/app.ts'
import { openOffice } from '../../support/office.ts'

const readers = { name: 'readers', type: 'console', models: ['claude'], events: ['censorship_spike'] }
const alone = { name: 'on-call', type: 'console', events: [] }
const config = configOf([], { operators: ['on-call'], channels: [alone, readers] })

test('a channel for trouble alone gets what is wrong, and no alert, and explain says why', async () => {
  const desk = openOffice()
  const app = await desk.start(config)
  await desk.deliver(app.port, 'evt_1')
  app.reloadFailed(new Error('line 3: no such key'))
  await desk.passUntil(() => desk.shown('on-call').length > 0 && desk.shown('readers').length > 0)
  expect(desk.shown('on-call')).toHaveLength(1)
  expect(desk.shown('on-call')[0]).toContain('The changed configuration cannot be used')
  expect((await desk.control().event('evt_1'))?.outcomes['on-call']).toEqual({
    state: 'not_sent',
    rule: 'events',
    why: 'this channel gets only notices about problems',
  })
  await desk.passing(app.stop())
})

test('the service is asked for what readers want; a channel for incidents only asks for nothing', () => {
  expect(desiredAlerts(config)).toEqual({ events: ['censorship_spike'], models: ['claude'] })
})
