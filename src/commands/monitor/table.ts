import stringWidth from 'string-width'
import { padded, wrap } from '../../platform/terminal.ts'
import { cut, painted, plain } from '../../platform/text.ts'
import type { Terminal } from '../terminal.ts'

export interface TableColumn {
  head: string
  /** Numbers stand under each other at the right. */
  align?: 'right'
  /** May be cut with an ellipsis. Numbers, dates and names that somebody will type never are. */
  long?: true
  /** Left out where there is no room. */
  spare?: true
}

const gap = 2
/** A column is not made narrower than this, in terminal cells. */
const narrowest = 8

/**
 * Columns with a head, within the terminal's width where that can be. A cell may be anything that the service
 * wrote; it becomes one harmless line.
 */
export function tableText(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  { width, colour }: Pick<Terminal, 'width' | 'colour'>,
): string {
  const all = columns.map((column, index) => {
    const cells = rows.map((row) => plain(row[index] ?? ''))
    return { ...column, cells, width: Math.max(...[column.head, ...cells].map((cell) => stringWidth(cell))) }
  })
  const shown = fitted(all, width)
  const lineOf = (cellOf: (column: (typeof shown)[number]) => string) =>
    `${shown.map((column) => padded(cut(cellOf(column), column.width, stringWidth), column.width, column.align)).join(' '.repeat(gap))}`.trimEnd()
  const head = painted(
    'bold',
    lineOf((column) => column.head),
    colour,
  )
  return [head, ...rows.map((_, row) => lineOf((column) => column.cells[row] ?? ''))]
    .map((line) => `${line}\n`)
    .join('')
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
