import { expect, test } from 'vitest'
import { unreachableBy } from '../../../src/operators/alerting.ts'

test('a channel is away while it has an incident of its own', () => {
  const keys = ['store', 'channel:ops', 'figures:claude', 'channel:desk'].map((key) => ({ key }))
  expect(unreachableBy(keys)).toEqual(['ops', 'desk'])
})
