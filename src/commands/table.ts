import stringWidth from 'string-width'
import { padded, wrap } from '../platform/terminal.ts'
import { cut, painted, plain } from '../platform/text.ts'
import type { Terminal } from './terminal.ts'

export interface TableColumn {
  head: string
  /** Numbers stand under each other at the right. */
  align?: 'right'
  /** May be cut with an ellipsis. Numbers, dates and names that somebody will type never are. */
  long?: true
  /** Left out if there is no room. */
  spare?: true
}

const gap = 2
/** In terminal cells. A column is not made narrower than this. */
const narrowest = 8

/** Rows without a head, as wide as they are. Cells are printed as they are. */
export function table(rows: readonly (readonly string[])[]): string {
  const count = Math.max(0, ...rows.map((row) => row.length))
  const columns = Array.from({ length: count }, (_, index) => ({
    width: Math.max(...rows.map((row) => stringWidth(row[index] ?? ''))),
  }))
  return rows.map((row) => line(columns, (index) => row[index] ?? '')).join('')
}

/**
 * Columns with a head, within the terminal's width if that can be. A cell may be anything that the service
 * wrote; it becomes one harmless line.
 */
export function tableText(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  { width, colour }: Pick<Terminal, 'width' | 'colour'>,
): string {
  const all = columns.map((column, index) => {
    const cells = [column.head, ...rows.map((row) => plain(row[index] ?? ''))]
    return { ...column, cells, width: Math.max(...cells.map((cell) => stringWidth(cell))) }
  })
  const shown = fitted(all, width)
  const [head = '', ...lines] = [undefined, ...rows].map((_, row) =>
    line(shown, (index) => cut(shown[index]?.cells[row] ?? '', shown[index]?.width ?? 0, stringWidth)),
  )
  return `${painted('bold', head.trimEnd(), colour)}\n${lines.join('')}`
}

function line(
  columns: readonly { width: number; align?: 'right' }[],
  cellOf: (index: number) => string,
): string {
  const cells = columns.map(({ width, align }, index) => padded(cellOf(index), width, align))
  return `${cells.join(' '.repeat(gap)).trimEnd()}\n`
}

/** One line above a table or a chart. */
export function heading(text: string, { colour }: Pick<Terminal, 'colour'>): string {
  return `${painted('bold', plain(text), colour)}\n`
}

/** Sentences below a table or a chart, broken between words. */
export function prose(text: string, { width }: Pick<Terminal, 'width'>): string {
  return wrap(plain(text, 2_000), width, 'whole')
    .map((line) => `${line}\n`)
    .join('')
}

/** Leaves out what can be spared, the last first; then takes from the widest that may be cut. */
function fitted<T extends TableColumn & { width: number }>(all: readonly T[], width: number): T[] {
  let columns = [...all]
  const over = () => columns.reduce((sum, column) => sum + column.width + gap, -gap) - width
  while (over() > 0 && columns.some(({ spare }) => spare)) {
    const last = columns.findLastIndex(({ spare }) => spare)
    columns = columns.toSpliced(last, 1)
  }
  while (over() > 0) {
    const widest = Math.max(...columns.map((column) => (column.long ? column.width : 0)))
    if (widest <= narrowest) break
    const place = columns.findIndex((column) => column.long && column.width === widest)
    columns = columns.map((column, index) => (index === place ? { ...column, width: widest - 1 } : column))
  }
  return columns
}
