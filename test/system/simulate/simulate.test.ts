import { expect, test } from 'vitest'
import { simulate } from './lives.ts'

test('60 lives of a desk, with faults at every boundary, break none of the seven rules, and five of them are the same again', {
  timeout: 600_000,
}, () => {
  const { status, printed } = simulate('--seeds', '1..60', '--again', '5')
  expect(printed).not.toContain('is not the same run twice')
  expect(printed).toContain('65 seeds:')
  expect(printed).toContain('no rule broken')
  expect(status).toBe(0)
})
