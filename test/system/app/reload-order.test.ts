import { describe, expect, test } from 'vitest'
import {
  begin,
  counted,
  faultOf,
  faultOfSeeds,
  happenings,
  judge,
  judgeStopped,
  play,
  scenes,
} from './reload-scenes.ts'

describe.each(Object.entries(scenes))('with any interruption of %s', (_name, scene) => {
  test('nothing does: it ends as it should', async () => {
    expect(await faultOf(scene)).toBe(null)
  })

  test.each(happenings)(
    '%s, at each place where it waits',
    async (happens) => {
      const { places } = await counted(scene)
      for (let at = 3; at <= places; at++) {
        expect(await faultOf(scene, new Map([[at, happens]]))).toBe(null)
      }
    },
    30_000,
  )

  test('three of these, at places drawn from 25 seeds', async () => {
    expect(await faultOfSeeds(scene, 25)).toBe(null)
  })
})

test('a configuration that cannot be put together is not in force: the one before goes on', async () => {
  const machine = await play(async (one) => {
    await begin(one)
    void one.reload('broken')
    void one.deliver()
    await one.calm()
    void one.deliver()
  })
  expect(machine.reloads).toEqual([{ name: 'broken', end: 'not' }])
  judge(machine)
  await judgeStopped(machine)
})
