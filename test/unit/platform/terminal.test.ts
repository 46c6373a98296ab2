import { stripVTControlCharacters } from 'node:util'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { padded, wrap } from '../../../src/platform/terminal.ts'
import { painted } from '../../../src/platform/text.ts'

test('text is broken at blanks, and in a word only if the word is longer than a line', () => {
  expect(wrap('one two three', 7)).toEqual(['one two', 'three'])
  expect(wrap('abcdefghij kl', 4)).toEqual(['abcd', 'efgh', 'ij', 'kl'])
  expect(wrap('see https://desk.example/a', 10, 'whole')).toEqual(['see', 'https://desk.example/a'])
  expect(wrap('', 4)).toEqual([''])
})

test('wide characters take two cells, and emoji of many characters no more', () => {
  expect(wrap('漢字漢字', 4)).toEqual(['漢字', '漢字'])
  expect(wrap('👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 4)).toEqual(['👩‍👩‍👧👩‍👩‍👧', '👩‍👩‍👧'])
  expect(wrap('ประชาธิปไตย', 8)).toEqual(['ประชาธิปไ', 'ตย'])
})

test('a colour goes on in the next line, and takes no room', () => {
  const lines = wrap(painted('bold', 'one two three', true), 7)
  expect(lines.map(stripVTControlCharacters)).toEqual(['one two', 'three'])
  expect(lines).toEqual([painted('bold', 'one two', true), painted('bold', 'three', true)])
})

test('padding counts cells', () => {
  expect(padded('検閲', 6)).toBe('検閲  ')
  expect(padded('1', 3, 'right')).toBe('  1')
  expect(stringWidth(padded(painted('dim', 'ab', true), 5))).toBe(5)
})
