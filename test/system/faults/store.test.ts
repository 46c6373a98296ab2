import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hour, idsIn, minute, openDesk } from './desk.ts'

test('a store that cannot be written for hours: 503, one notice, and one when it is resolved', async () => {
  const desk = await openDesk({ channels: [{ name: 'desk', type: 'console' }] })
  const path = join(desk.folder, 'bluepencil.sqlite')
  renameSync(path, `${path}.moved`)
  expect(await desk.deliver('evt_1')).toBe(503)
  expect(await desk.hears(1)).toEqual(['The store cannot be written'])
  for (let tries = 0; tries < 12; tries++) {
    expect(await desk.deliver('evt_1')).toBe(503)
    await desk.pass(15 * minute)
  }
  expect(desk.told()).toEqual(['The store cannot be written'])
  expect(await desk.readyz()).toMatchObject({ status: 'unavailable', troubles: [{ key: 'store' }] })

  renameSync(`${path}.moved`, path)
  expect(await desk.deliver('evt_1')).toBe(202)
  expect(await desk.deliver('evt_1')).toBe(200)
  await desk.pass(hour)
  expect(idsIn(desk.shown('desk'))).toEqual(['evt_1'])
  expect(await desk.hears(2)).toEqual(['The store cannot be written', 'The store can be written again'])
  expect(await desk.readyz()).toMatchObject({ status: 'ready' })
})
