import * as z from 'zod'
import { dayMs, hourMs, minuteMs } from '../platform/durations.ts'

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
