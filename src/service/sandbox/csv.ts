/** RFC 4180, with a header line made from the first row's names. */
export function writeCsv(rows: readonly Record<string, string | number | null>[]): string {
  const names = Object.keys(rows[0] ?? {})
  const lines = rows.map((row) => names.map((name) => cell(row[name] ?? '')).join(','))
  return [names.join(','), ...lines, ''].join('\r\n')
}

function cell(value: string | number): string {
  const text = String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
