import { expect, it } from 'vitest'
import { holdAgainstMap } from '../../system/store/model.ts'

it('does what a plain map would do for every request, and through every close and crash, 500 times', {
  timeout: 600_000,
}, async () => {
  await expect(holdAgainstMap(500)).resolves.toBeUndefined()
})
