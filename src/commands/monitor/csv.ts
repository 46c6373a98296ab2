/** What a cell may hold. Numbers stay numbers; `null` is an empty cell. */
export type CsvCell = string | number | null

/**
 * RFC 4180: a header row, CRLF, quotes where they are needed. Spreadsheets run text that begins with `=`, `+`, `-`
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
