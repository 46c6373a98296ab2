import { expect, test } from 'vitest'
import { table } from '../../../src/commands/table.ts'

test('columns stand under each other where a name is wide or has accents of its own', () => {
  const shown = table([
    ['検閲', 'sent'],
    ['e\u0301a', 'sent'],
    ['claude', 'sent'],
  ])
  expect(shown).toBe('検閲    sent\ne\u0301a      sent\nclaude  sent\n')
})
