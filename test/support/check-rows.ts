import { inspect } from 'node:util'

/**
 * Checks each row of a table in one test, and fails with every row that is wrong. A table without rows fails too. Hooks run
 * once for the whole table, so a check sets up what it needs itself.
 */
export async function checkRows<const Row>(rows: Iterable<Row>, check: (row: Row) => unknown): Promise<void> {
  const all = [...rows]
  if (all.length === 0) throw new Error('The table has no rows.')
  const errors: Error[] = []
  for (const row of all) {
    try {
      await check(row)
    } catch (cause) {
      errors.push(new Error(`${nameOf(row)}: ${messageOf(cause)}`, { cause }))
    }
  }
  if (errors.length === 0) return
  const messages = errors.map(({ message }) => message).join('\n')
  throw new Error(`${errors.length} of ${all.length} rows are wrong:\n${messages}`, { cause: errors[0] })
}

function nameOf(row: unknown): string {
  return typeof row === 'string'
    ? row
    : inspect(row, { breakLength: Infinity, depth: 1, maxStringLength: 200 })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
