import { expect, test } from 'vitest'
import { command } from '../../support/command.ts'

test('a head that is none is refused before anything is read', async () => {
  const { code, notes } = await command(['verify', 'none.json', '--head', '5e1c'])
  expect([code, notes]).toEqual([2, expect.stringContaining('--head has 64 hex digits')])
})
