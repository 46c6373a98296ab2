import type { CheckRow } from '../../channels/channel.ts'

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
