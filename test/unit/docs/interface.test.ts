import { expect, test } from 'vitest'
import { read, rowsOf } from '../../support/markdown.ts'
import { citedIn, isTest } from '../../support/test-names.ts'

const rows = rowsOf(read('docs/internals/interface.md'))
  .filter(({ first }) => first === 'the specification')
  .map(({ cells }) => cells)

test('every test that docs/internals/interface.md names is there', () => {
  expect(rows.flatMap((cells) => citedIn(cells.join(' '))).filter((one) => !isTest(one))).toEqual([])
})

test('every row names one on the client’s side, and one on the sandbox’s', () => {
  expect(rows.length).toBeGreaterThan(40)
  const bare = rows.filter((cells) => cells.slice(-2).some((cell) => citedIn(cell).length === 0))
  expect(bare).toEqual([])
})

test('all eleven endpoints, four tiers and five statuses of errors have a row', () => {
  const what = rows.map(([cell = '']) => cell)
  expect(what.filter((cell) => /^`(GET|POST|DELETE) \//.test(cell))).toHaveLength(11)
  expect(what.filter((cell) => /^(Free|Researcher|Pro|Enterprise),/.test(cell))).toHaveLength(4)
  expect(what.filter((cell) => /^(400|401|403|404|429),/.test(cell))).toHaveLength(5)
})
