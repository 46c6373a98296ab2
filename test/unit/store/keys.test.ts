import { expect, test } from 'vitest'
import { keyOf, lockOf } from '../../../src/store/sql/keys.ts'

test('an id that fits is its own key', () => {
  expect(keyOf('evt_01HZX')).toBe('evt_01HZX')
  expect(keyOf('é 🖊 \n')).toBe('é 🖊 \n')
})

test('every other id has a key that a column can hold, and no two have one', () => {
  const ids = ['a\0', 'a\0\0', '\ud83d', '\ud83e', '#a', 'x'.repeat(201), 'x'.repeat(202), 'é'.repeat(101)]
  const keys = ids.map(keyOf)
  expect(new Set(keys).size).toBe(ids.length)
  for (const key of keys) expect(key).toMatch(/^#[0-9a-f]{64}$/)
})

test('no id is taken for the hash of another', () => {
  expect(keyOf(keyOf('a\0'))).not.toBe(keyOf('a\0'))
})

test('what a key is locked by is a signed 32-bit number', () => {
  for (const model of ['claude', 'gemini']) {
    expect(lockOf(model)).toBe(lockOf(model) | 0)
  }
  expect(lockOf('claude')).not.toBe(lockOf('gemini'))
})
