import type { CheckRow } from '../../channels/channel.ts'
import { painted } from '../../platform/text.ts'
import type { Terminal } from '../terminal.ts'

export function ok(what: string, text: string): CheckRow {
  return { level: 'ok', what, text }
}

/** It works, and less surely or less fully than it could. */
export function warn(what: string, text: string, hint?: string): CheckRow {
  return { level: 'warn', what, text, ...(hint !== undefined && { hint }) }
}

/** It would not work. */
export function fail(what: string, text: string, hint?: string): CheckRow {
  return { level: 'fail', what, text, ...(hint !== undefined && { hint }) }
}

const marks = {
  ok: { colour: 'green', text: 'ok  ' },
  warn: { colour: 'yellow', text: 'warn' },
  fail: { colour: 'red', text: 'FAIL' },
} as const

export function shown({ level, what, text, hint }: CheckRow, terminal: Terminal): string {
  const mark = painted(marks[level].colour, marks[level].text, terminal.colour)
  return `  ${mark}  ${what}: ${text}\n${hint === undefined ? '' : `        ${hint}\n`}`
}
