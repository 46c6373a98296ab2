import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** What a statement finds in the database of a folder, as text: a line for each row. */
export function storedText(folder: string, statement: string): string {
  const database = new DatabaseSync(join(folder, 'bluepencil.sqlite'), { readOnly: true })
  try {
    return database
      .prepare(statement)
      .all()
      .map((row) => Object.values(row).join(' '))
      .join('\n')
  } finally {
    database.close()
  }
}
