import { expect, test } from 'vitest'
import { createSearchBounds } from '../../../src/channels/search-bounds.ts'

test('the search for an earlier copy starts at the message before the first attempt', () => {
  const earlier = createSearchBounds()
  earlier.posted('100')
  earlier.trying('evt_1')
  earlier.posted('200')
  earlier.trying('evt_1')
  expect(earlier.after('evt_1')).toBe('100')
})

test('of a message that was tried before a restart, or first of all, nothing is known', () => {
  const earlier = createSearchBounds()
  expect(earlier.after('evt_1')).toBeUndefined()
  earlier.trying('evt_1')
  earlier.posted('100')
  expect(earlier.after('evt_1')).toBeUndefined()
})

test('what was read in vain is not read again', () => {
  const earlier = createSearchBounds()
  earlier.trying('evt_1')
  earlier.isAbsent('evt_1', '300')
  expect(earlier.after('evt_1')).toBe('300')
  // An empty page.
  earlier.isAbsent('evt_1', undefined)
  expect(earlier.after('evt_1')).toBe('300')
})

test('once it is certain what became of a message, a later try begins anew', () => {
  const earlier = createSearchBounds()
  earlier.trying('evt_1')
  earlier.isCertain('evt_1')
  earlier.posted('400')
  earlier.trying('evt_1')
  expect(earlier.after('evt_1')).toBe('400')
})
