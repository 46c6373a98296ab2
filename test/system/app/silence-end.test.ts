import { expect, test } from 'vitest'
import { openOffice } from '../../support/office.ts'
import { openHeldDesk } from './held-scenes.ts'

const by = { name: 'Ana', via: 'command' } as const

test('what a silence held goes out as soon as somebody ends it', async () => {
  const office = openOffice()
  const desk = openHeldDesk(office)
  await desk.start({})
  const { acts } = office.control()
  const until = office.clock.now() + 86_400_000
  const done = await acts.silence({ by, key: 'k' }, { scope: {}, until, why: 'known' })
  await desk.deliver('a')
  // The loop that looks each minute has just looked.
  await office.clock.advance(61_000)
  await acts.endSilence({ by, key: 'l' }, done.result === 'done' ? done.silence.id : '')
  await office.clock.advance(1_000)
  expect(office.shown('desk')).toEqual([expect.stringMatching(/1 alert was held/)])
  await desk.stop()
})
