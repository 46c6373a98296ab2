/**
 * Checks each row of a table in one test, and fails with every row that is wrong, by name. A table without rows fails too.
 * Hooks run once for the whole table: a check starts from what it needs itself.
 */
export async function checkRows<Row>(
  rows: Iterable<Row>,
  nameOf: (row: Row) => string,
  check: (row: Row) => unknown,
): Promise<void> {
  const all = [...rows]
  if (all.length === 0) throw new Error('The table has no rows.')
  const errors: Error[] = []
  for (const row of all) {
    try {
      await check(row)
    } catch (error) {
      errors.push(new Error(`${nameOf(row)}: ${messageOf(error)}`, { cause: error }))
    }
  }
  if (errors.length === 0) return
  const messages = errors.map(({ message }) => message).join('\n')
  throw new Error(`${errors.length} of ${all.length} rows are wrong:\n${messages}`, { cause: errors[0] })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
