import * as z from 'zod'
import { languages } from '../message/words/phrases.ts'
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

/** What a key of the configuration is for, and a value that it may have. */
export interface KeyText {
  is: string
  example: unknown
}

/** An IANA time zone that this Node knows. */
const timeZone = z.string().refine(
  (name) => {
    try {
      new Intl.DateTimeFormat('en', { timeZone: name })
      return true
    } catch {
      return false
    }
  },
  { error: 'is not a time zone; write one such as Europe/Berlin or UTC' },
)

const hour = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be an hour such as "22:00", in quotes')
const weekday = z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'])

/** What goes out at once all the same. */
const unless = z.strictObject({ minDelta: z.number().min(0).max(100) }).optional()

/** Hours in which alerts are held, in the channel's time zone. `days`: on which they begin; every day where it is not set. */
const QuietHours = z
  .strictObject({
    from: hour,
    to: hour,
    days: z.array(weekday).min(1).optional(),
    unless,
  })
  .refine(({ from, to, days }) => from !== to || new Set(days).size % 7 !== 0, {
    path: ['to'],
    error:
      'is the same hour as from, on every day: the channel would never get anything; write another, or name days',
  })
export type QuietHours = z.infer<typeof QuietHours>

/** When alerts go out together. `at`: 08:00 where it is not set; `on`: the day of a weekly one, Monday where it is not set. */
const DigestTimes = z
  .strictObject({
    every: z.enum(['hour', 'day', 'week']),
    at: hour.optional(),
    on: weekday.optional(),
    unless,
  })
  .refine(({ every, at }) => every !== 'hour' || at === undefined, {
    path: ['at'],
    error: 'has no meaning where a digest goes out every hour; leave it out',
  })
  .refine(({ every, on }) => every === 'week' || on === undefined, {
    path: ['on'],
    error: 'is the day of a weekly digest; leave it out, or write every: week',
  })
export type DigestTimes = z.infer<typeof DigestTimes>

/**
 * Which alerts become one message, if messages can be edited: those of one model, category and direction that come within so long after
 * the first, milliseconds. One that is larger by `worse` percentage points than all before it also comes by itself.
 */
const Stories = z.strictObject({
  within: duration({ least: '1m', most: '1d', usual: '2h' }),
  worse: z.number().min(0.01).max(100).default(5),
})
export type Stories = z.infer<typeof Stories>

/** What every channel can say, whatever its type: its name, its filters, its time zone and its language. */
export const CommonSettings = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be lower-case letters, digits and hyphens, such as ai-desk'),
  models: z.array(z.string().min(1)).min(1).optional(),
  events: z.array(z.string().min(1)).optional(),
  categories: z.array(z.string().min(1)).min(1).optional(),
  /** Percentage points, absolute. */
  minDelta: z.number().min(0).max(100).optional(),
  direction: z.enum(['rise', 'fall', 'both']).default('both'),
  timeZone: timeZone.default('UTC'),
  language: z.enum(languages).default('en'),
  quiet: QuietHours.optional(),
  digest: DigestTimes.optional(),
  stories: z.union([z.literal('off'), Stories], 'write off, or { within: 2h }').optional(),
  /** Only the file says what it gets, and when. */
  fixed: z.boolean().optional(),
  statusReport: z.literal('weekly', 'must be weekly; leave the key out for none').optional(),
})
/** Whether alerts get a chart, where the channel can show one. */
export const pictures = z.boolean().optional()

export type CommonSettings = z.infer<typeof CommonSettings>

/** What a channel gets, and when: what people may change where they have no shell. */
export const ChannelFilters = CommonSettings.pick({
  models: true,
  events: true,
  categories: true,
  minDelta: true,
  direction: true,
  quiet: true,
  digest: true,
})
export type ChannelFilters = z.infer<typeof ChannelFilters>

export function filtersOf(channel: ChannelFilters): ChannelFilters {
  const { models, events, categories, minDelta, direction, quiet, digest } = channel
  return {
    ...(models !== undefined && { models }),
    ...(events !== undefined && { events }),
    ...(categories !== undefined && { categories }),
    ...(minDelta !== undefined && { minDelta }),
    direction,
    ...(quiet !== undefined && { quiet }),
    ...(digest !== undefined && { digest }),
  }
}

/** Whether a channel gets no alert, only what operators are to know. */
export function isForTroubleAlone({ events }: Pick<CommonSettings, 'events'>): boolean {
  return events?.length === 0
}
