import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { counted, cut, listed, percentText, plain, signed, span } from '../../../src/platform/text.ts'

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
const family = '👩‍👩‍👧'

describe('what is too long', () => {
  test('is cut between graphemes, the ellipsis counted', () => {
    expect(cut(`${family} family`, 3)).toBe(`${family}…`)
    expect(cut('abcdef', 5)).toBe('abcd…')
    expect(cut('short', 5)).toBe('short')
  })

  test('loses no accent of the last letter that is kept', () => {
    expect(plain('e\u0301'.repeat(4), 3)).toBe('e\u0301e\u0301…')
  })

  test('is measured as the reader of it measures', () => {
    expect(cut('検閲の変化', 6, stringWidth)).toBe('検閲…')
    expect(cut('a&b&c', 8, (text) => text.replaceAll('&', '&amp;').length)).toBe('a&b…')
  })

  test('is bounded too where one character never ends', () => {
    expect(cut(`a${'\u0301'.repeat(10_000)}b`, 10).length).toBeLessThanOrEqual(81)
  })

  test('ends in the ellipsis alone where nothing has room', () => {
    expect(cut(family, 1, (text) => text.length)).toBe('…')
  })
})
