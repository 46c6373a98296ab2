import { describe, expect, test } from 'vitest'
import { faultOfSeeds, scenes } from '../../system/app/reload-scenes.ts'

describe.each(Object.entries(scenes))('with any interruption of %s', (_name, scene) => {
  test('three of these, at places drawn from 500 seeds', { timeout: 180_000 }, async () => {
    expect(await faultOfSeeds(scene, 500)).toBe(null)
  })
})
