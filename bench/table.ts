import { readFileSync, writeFileSync } from 'node:fs'

/** One line of the table. Times in milliseconds. */
export interface Row {
  what: string
  result: string
  p50?: number
  p99?: number
  /** What was promised, and whether it was kept. */
  target?: { text: string; met: boolean }
  remark?: string
}

const head = ['what', 'result', 'p50 ms', 'p99 ms', 'target', 'remark']

/** A row by itself, as soon as it is known. */
export function line({ what, result, p50, p99, remark = '' }: Row): string {
  const times = p99 === undefined ? '' : `, p50 ${time(p50)} ms, p99 ${time(p99)} ms`
  return `${what}: ${result}${times}${remark === '' ? '' : `; ${remark}`}\n`
}

/** A Markdown table that also reads well in a terminal. */
export function table(rows: readonly Row[]): string {
  const cells = rows.map(({ what, result, p50, p99, target, remark = '' }) => [
    what,
    result,
    time(p50),
    time(p99),
    target === undefined ? '' : `${target.text}: ${target.met ? 'met' : 'MISSED'}`,
    remark,
  ])
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((line) => line[column]?.length ?? 0)),
  )
  const rule = widths.map((width) => '-'.repeat(width))
  const written = [head, rule, ...cells].map(
    (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`,
  )
  return written.join('')
}

const end = '<!-- end -->'

/** Puts the text between the two markers of a page, in place of what was there. `script` is the npm script that writes it. */
export function writeBetweenMarkers(file: string, text: string, script = 'bench'): void {
  const begin = `<!-- npm run ${script} -- --write -->`
  const page = readFileSync(file, 'utf8')
  const [before, ...after] = page.split(begin)
  const [, ...rest] = after.join(begin).split(end)
  if (after.length !== 1 || rest.length === 0)
    throw new Error(`${file} does not have ${begin} once, and ${end}`)
  writeFileSync(file, `${before}${begin}\n${text}${end}${rest.join(end)}`)
}

export function perSecond(rate: number): string {
  return `${Math.round(rate).toLocaleString('en')}/s`
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  const pair = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return ((pair[0] ?? 0) + (pair[1] ?? 0)) / 2
}

/** The median, and the least and the greatest. */
export function withRange(values: readonly number[]): string {
  const [least, greatest] = [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(2))
  return `${median(values).toFixed(2)} (${least} to ${greatest})`
}

function time(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '' : milliseconds.toFixed(1)
}
