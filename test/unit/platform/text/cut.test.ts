import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { cut, plain } from '../../../../src/platform/text.ts'

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
