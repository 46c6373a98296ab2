import { expect, test } from 'vitest'
import { configOf } from '../../support/app.ts'
import { openOffice } from '../../support/office.ts'

const desk = { name: 'desk', type: 'console', models: ['gemini'] }

/** What the log says of deliveries, each line without its time. */
function linesIn(log: readonly string[]): object[] {
  const lines = log.map((line) => JSON.parse(line, (key, value) => (key === 'time' ? undefined : value)))
  return lines.filter(({ message }) =>
    ['accepted', 'delivery', 'more deliveries within a second'].includes(message),
  )
}

test('each delivery has a line, with what becomes of it', async () => {
  const office = openOffice()
  const app = await office.start(configOf([desk]))
  await office.deliver(app.port, 'evt_1')
  await office.deliver(app.port, 'evt_1')
  await office.clock.advance(5_000)
  expect(linesIn(office.log)).toEqual([
    { level: 'info', event: 'evt_1', outcomes: { ops: 'not_sent', desk: 'not_sent' }, message: 'accepted' },
    { level: 'info', event: 'evt_1', outcome: 'duplicate', milliseconds: 0, message: 'delivery' },
  ])
  await office.passing(app.stop())
})

test('of more than a hundred within a second, the rest are one line with counts', async () => {
  const office = openOffice()
  const app = await office.start(configOf([desk]))
  for (let number = 1; number <= 104; number++) await office.deliver(app.port, `evt_${number}`)
  await office.deliver(app.port, 'evt_1')
  expect(linesIn(office.log)).toHaveLength(100)
  await office.clock.advance(1_000)
  expect(linesIn(office.log).slice(100)).toEqual([
    { level: 'info', accepted: 4, duplicate: 1, message: 'more deliveries within a second' },
  ])
  await office.deliver(app.port, 'evt_105')
  expect(linesIn(office.log).at(-1)).toMatchObject({ event: 'evt_105', message: 'accepted' })
  await office.clock.advance(5_000)
  expect(linesIn(office.log)).toHaveLength(102)
  await office.passing(app.stop())
})

test('what was counted when the service is stopped is in the log', async () => {
  const office = openOffice()
  const app = await office.start(configOf([desk]))
  for (let number = 1; number <= 103; number++) await office.deliver(app.port, `evt_${number}`)
  await office.passing(app.stop())
  expect(linesIn(office.log).at(-1)).toMatchObject({ accepted: 3, duplicate: 0 })
})
