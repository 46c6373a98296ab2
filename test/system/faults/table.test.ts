import { expect, test } from 'vitest'
import { read, rowsOf } from '../../support/markdown.ts'
import { citedIn, isTest } from '../../support/test-names.ts'

const rows = rowsOf(read('docs/internals/reliability.md'))

test('every test that docs/internals/reliability.md names is there', () => {
  const cited = rows.flatMap(({ cells }) => citedIn(cells.join(' ')))
  expect(cited.length).toBeGreaterThan(25)
  expect(cited.filter((one) => !isTest(one))).toEqual([])
})

test('every row of its tables of faults names a test', () => {
  const faults = rows.filter(({ first }) => first === 'fault')
  expect(faults.length).toBeGreaterThan(25)
  expect(faults.filter(({ cells }) => citedIn(cells.at(-1) ?? '').length === 0)).toEqual([])
})
