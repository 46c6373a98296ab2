import * as z from 'zod'

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

/** What every channel can say, whatever its type: its name, its filters and its time zone. */
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
  statusReport: z.literal('weekly', 'must be weekly; leave the key out for none').optional(),
})
/** Whether alerts get a chart, where the channel can show one. */
export const pictures = z.boolean().optional()

export type CommonSettings = z.infer<typeof CommonSettings>

/** Whether a channel gets no alert, only what operators are to know. */
export function isForTroubleAlone({ events }: Pick<CommonSettings, 'events'>): boolean {
  return events?.length === 0
}
