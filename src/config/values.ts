import * as z from 'zod'
import { dayMs, hourMs, minuteMs } from '../durations.ts'

const units: Record<string, number> = { s: 1_000, m: minuteMs, h: hourMs, d: dayMs }

/** "30s", "5m", "1h", "90d" → milliseconds. */
export function duration(bounds: { least: string; most: string; usual: string }) {
  const least = milliseconds(bounds.least)
  const most = milliseconds(bounds.most)
  const wrong = `is not a duration; write a number and s, m, h or d, such as ${bounds.usual}`
  return z
    .string(wrong)
    .regex(/^\d+[smhd]$/, wrong)
    .transform(milliseconds)
    .refine((value) => value >= least && value <= most, `must be from ${bounds.least} to ${bounds.most}`)
}

function milliseconds(text: string): number {
  return Number(text.slice(0, -1)) * (units[text.slice(-1)] ?? Number.NaN)
}

/** A whole number, also as text, because that is what `${PORT}` gives. */
export function wholeNumber(least: number, most: number) {
  const wrong = `must be a whole number from ${least} to ${most}`
  const number = z.int(wrong).min(least, wrong).max(most, wrong)
  return z.union([number, z.string().regex(/^\d+$/).transform(Number).pipe(number)], wrong)
}

/** An http(s) address without a trailing slash. Addresses are shown in logs and errors, so it holds no password. */
export function address(example: string) {
  return z
    .url({
      protocol: /^https?$/,
      error: ({ input }) =>
        `${input === undefined ? 'is missing' : 'is not an address'}; write one such as ${example}`,
      abort: true,
    })
    .refine((text) => {
      const { username, password } = new URL(text)
      return username === '' && password === ''
    }, 'has a user name or a password in it; leave them out')
    .transform((text) => text.replace(/\/+$/, ''))
}
