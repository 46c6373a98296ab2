import type { Terminal } from '../terminal.ts'

export interface OutputOptions {
  json?: boolean
  csv?: boolean
}

/** One result in the form that was asked for; only that one is made. */
export function write(
  options: OutputOptions,
  terminal: Terminal,
  forms: { json: () => unknown; csv: () => string; text: () => string },
): void {
  if (options.json) terminal.out(`${JSON.stringify(forms.json(), null, 2)}\n`)
  else if (options.csv) terminal.out(forms.csv())
  else terminal.out(forms.text())
}

/** What a cell may hold. Numbers stay numbers; `null` is an empty cell. */
export type CsvCell = string | number | null

/** A row for each record, and its columns by their heads. */
export function csvOf<T>(records: readonly T[], columns: Record<string, (record: T) => CsvCell>): string {
  const cells = Object.values(columns)
  return csv(
    Object.keys(columns),
    records.map((record) => cells.map((cellOf) => cellOf(record))),
  )
}

/**
 * RFC 4180: a header row, CRLF, quotes if they are needed. Spreadsheets run text that begins with `=`, `+`, `-`
 * or `@` as a formula (OWASP, "CSV Injection"), so a text cell that does, after blanks or not, begins with `'`.
 */
export function csv(header: readonly string[], rows: Iterable<readonly CsvCell[]>): string {
  return [header, ...rows].map((row) => `${row.map(cellText).join(',')}\r\n`).join('')
}

function cellText(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const safe = /^[\s\p{C}]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
