import { expect, test } from 'vitest'
import { counted, listed, percentText, signed, span } from '../../../../src/platform/text.ts'

test('one thing is one, and none or more are several', () => {
  expect(counted(1, 'message')).toBe('1 message')
  expect(counted(0, 'message')).toBe('0 messages')
  expect(counted(2, 'try', 'tries')).toBe('2 tries')
})

test('a length of time has no more figures than anybody needs', () => {
  expect([1, 119, 120, 2_879, 2_880].map(span)).toEqual([
    '1 minute',
    '119 minutes',
    '2 hours',
    '48 hours',
    '2 days',
  ])
})

test('things are listed as in a sentence', () => {
  expect(listed(['a'], 'and')).toBe('a')
  expect(listed(['a', 'b'], 'or')).toBe('a or b')
  expect(listed(['a', 'b', 'c'], 'and')).toBe('a, b and c')
})

test('a share has a per cent sign, and a difference a sign of its own', () => {
  expect(percentText(12.43)).toBe('12.4%')
  expect([2.44, -0.8, -0.04].map((points) => signed(points))).toEqual(['+2.4', '−0.8', '0.0'])
})
