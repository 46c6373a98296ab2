import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { dialectKeys } from '../../../src/service/sandbox/dialect.ts'
import { read, rowsOf } from '../../support/markdown.ts'

const keys = dialectKeys().map(({ key }) => key)
const rows = rowsOf(read('docs/internals/interface.md')).filter(({ first }) => first === 'not shown')
/** What the last cell of a row names. */
const named = rows.map(({ code }) => code.at(-1) ?? [])

test('every assumption names its dimension of the sandbox, or the test that stands for one', () => {
  expect(rows.filter((_, index) => named[index]?.length === 0)).toEqual([])
  const unknown = named.flat().filter((name) => !keys.includes(name) && !isTest(name))
  expect(unknown).toEqual([])
})

test('every dimension of the sandbox stands beside an assumption', () => {
  expect(keys.filter((key) => !named.flat().includes(key))).toEqual([])
})

function isTest(name: string): boolean {
  return name.endsWith('.test.ts') && existsSync(`test/${name}`)
}
