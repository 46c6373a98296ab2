import { expect, it } from 'vitest'
import { holdAgainstMap } from './model.ts'

it('does what a plain map would do for every request, and through every close and crash', async () => {
  await expect(holdAgainstMap(25)).resolves.toBeUndefined()
})
