import { expect, test } from 'vitest'
import { checkRows } from '../support/check-rows.ts'

test('a table names every wrong row, and no right one', async () => {
  const rows = [
    ['one', 1],
    ['two', 3],
    ['three', 4],
  ] as const
  const checked = checkRows(rows, ([name, length]) => {
    if (name.length !== length + 2) throw new Error(`has ${name.length}`)
  })
  await expect(checked).rejects.toThrow("2 of 3 rows are wrong:\n[ 'two', 3 ]: has 3\n[ 'three', 4 ]: has 5")
})

test('a table without rows is wrong', async () => {
  await expect(checkRows([], () => undefined)).rejects.toThrow('The table has no rows.')
})
