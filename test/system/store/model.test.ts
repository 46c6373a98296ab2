import { expect, it } from 'vitest'
import { holdAgainstMap } from './model.ts'

it('does what a plain map would do, whatever it is asked, and through every close and crash', async () => {
  await expect(holdAgainstMap(25)).resolves.toBeUndefined()
})
