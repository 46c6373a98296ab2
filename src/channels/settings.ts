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

/**
 * A key of the configuration: what it is for, a value that it may have, and its rules. The JSON Schema has all three. `title`: its
 * label in the console, with its unit; a duration's unit is that of its example.
 */
export function key<Schema extends z.ZodType>(
  is: string,
  example: unknown,
  schema: Schema,
  title?: string,
): Schema {
  return schema.meta({ is, example, ...(title !== undefined && { title }) })
}

/** As a file names a variable of the environment. */
export function variable(name: string): string {
  return `\${${name}}`
}

/** The key with the kind of a channel. */
export function channelType<Type extends string>(type: Type) {
  return key('What kind of channel it is', 'slack', z.literal(type))
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

/** What is sent at once anyway. */
const unless = z
  .strictObject({
    minDelta: key(
      'Changes of at least this many percentage points, up or down',
      20,
      z.number().min(0).max(100),
      'Smallest change, in percentage points',
    ),
  })
  .optional()

/** Hours in which alerts are held, in the channel's time zone. `days`: on which they begin; every day if it is not set. */
const QuietHours = z
  .strictObject({
    from: key('When they begin', '22:00', hour, 'From'),
    to: key('When they end; on the next day if this is not later than `from`', '07:00', hour, 'To'),
    days: key(
      'The days on which they begin; else every day',
      ['mon', 'tue'],
      z.array(weekday).min(1).optional(),
      'Days on which they begin',
    ),
    unless: key('What is sent at once anyway', { minDelta: 20 }, unless, 'Send all the same'),
  })
  .refine(({ from, to, days }) => from !== to || new Set(days).size % 7 !== 0, {
    path: ['to'],
    error:
      'is the same hour as from, every day: the channel would never get anything; write another hour, or name days',
  })
export type QuietHours = z.infer<typeof QuietHours>

/** When alerts go out together. `at`: 08:00 if it is not set; `on`: the day of a weekly one, Monday if it is not set. */
const DigestTimes = z
  .strictObject({
    every: key('How often', 'day', z.enum(['hour', 'day', 'week']), 'How often'),
    at: key('At which hour, of a daily or weekly one', '08:00', hour.optional(), 'Hour'),
    on: key('On which day, of a weekly one', 'mon', weekday.optional(), 'Day of a weekly digest'),
    unless: key('What is sent at once anyway', { minDelta: 20 }, unless, 'Send all the same'),
  })
  .refine(({ every, at }) => every !== 'hour' || at === undefined, {
    path: ['at'],
    error: 'has no meaning in an hourly digest; leave it out',
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
  within: key(
    'How long after the first alert of a story others join it',
    '2h',
    duration({ least: '1m', most: '1d', usual: '2h' }),
  ),
  worse: key(
    'A change that is this many percentage points larger than all before it is also sent by itself; default: 5',
    10,
    z.number().min(0.01).max(100).default(5),
  ),
})
export type Stories = z.infer<typeof Stories>

/** Where an alert goes that nobody has acknowledged here. */
const Escalate = z.strictObject({
  after: key(
    'How long people have to acknowledge an alert, or to take it',
    '15m',
    duration({ least: '1m', most: '12h', usual: '15m' }),
    'Time to acknowledge',
  ),
  minDelta: key(
    'Only changes of at least this many percentage points, up or down',
    10,
    z.number().min(0).max(100).optional(),
    'Smallest change, in percentage points',
  ),
  to: key('The channel that gets it then, by its name', 'night-desk', z.string(), 'Channel'),
})

/** What a channel of any type has: its name, its filters, its time zone and its language. */
export const CommonSettings = z.strictObject({
  name: key(
    'The name of the channel in the log, under operators and in commands',
    'ai-desk',
    z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]*$/, 'must be lower-case letters, digits and hyphens, such as ai-desk')
      .max(63, 'is too long; write 63 characters at most'),
    'Name of the channel',
  ),
  models: key(
    'Only alerts about these models',
    ['claude', 'gemini'],
    z.array(z.string().min(1)).min(1).optional(),
    'Models',
  ),
  events: key(
    'Only alerts of these types; an empty list: only notices about problems, if the channel is under operators',
    ['policy_change'],
    z.array(z.string().min(1)).optional(),
    'Types of alerts',
  ),
  categories: key(
    'Only alerts about these categories of prompts',
    ['political'],
    z.array(z.string().min(1)).min(1).optional(),
    'Categories of prompts',
  ),
  /** Percentage points, absolute. */
  minDelta: key(
    'Only changes of at least this many percentage points, up or down',
    5,
    z.number().min(0).max(100).optional(),
    'Smallest change, in percentage points',
  ),
  direction: key(
    'Only more refusals (rise), only fewer (fall), or both',
    'rise',
    z.enum(['rise', 'fall', 'both']).default('both'),
    'Direction',
  ),
  timeZone: key('In which its messages write times', 'Europe/Berlin', timeZone.default('UTC'), 'Time zone'),
  language: key(
    'In which its alerts are written: en, de, fr, es or pt; notices to operators are in English',
    'de',
    z.enum(languages).default('en'),
    'Language',
  ),
  quiet: key(
    'Hours in which alerts are held, in timeZone; then one message says what came',
    {
      from: '22:00',
      to: '07:00',
      unless: { minDelta: 20 },
    },
    QuietHours.optional(),
    'Quiet hours',
  ),
  digest: key(
    'Alerts go out together: every hour, day or week, in timeZone',
    {
      every: 'day',
      at: '08:00',
      unless: { minDelta: 20 },
    },
    DigestTimes.optional(),
    'Digest',
  ),
  stories: key(
    'Alerts with the same model, category and direction become one message, which is edited; default: off',
    { within: '2h', worse: 5 },
    z.union([z.literal('off'), Stories], 'write off, or { within: 2h }').optional(),
    'Stories',
  ),
  escalate: key(
    'If nobody acknowledges an alert in time, another channel gets it too, once',
    { after: '15m', minDelta: 10, to: 'night-desk' },
    Escalate.optional(),
    'Escalation',
  ),
  /** Only the file says what it gets, and when. */
  fixed: key(
    'Its filters, hours and digest can be changed only in this file, not in the console',
    true,
    z.boolean().optional(),
  ),
  statusReport: key(
    'weekly: a report each Monday at 09:00 in timeZone: how many alerts came, and that Bluepencil is working',
    'weekly',
    z.literal('weekly', 'must be weekly; leave the key out for none').optional(),
    'Status report',
  ),
})
/** Whether alerts get a chart, if the channel can show one. */
export const pictures = z.boolean().optional()

export type CommonSettings = z.infer<typeof CommonSettings>

/** What a channel gets, and when: what people may change without a shell. */
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
