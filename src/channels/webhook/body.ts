import * as z from 'zod'

/** Named after what it is about; `.edited` if it edits a message that was sent. */
const types = [
  'alert',
  'alert.correction',
  'alert.withdrawal',
  'alert.edited',
  'digest',
  'digest.edited',
  'notice',
  'notice.edited',
  'report',
  'test',
  'message',
  'message.edited',
] as const

const time = z.string().meta({ format: 'date-time', description: 'ISO 8601, UTC' })
const points = z.number().meta({ description: 'Percentage points, signed' })
const level = z.object({
  rate: z.number().meta({ description: 'Percent' }),
  prompts: z.number().nullable().meta({ description: 'Prompts behind it; null if unknown' }),
  readings: z.number(),
})
const levels = z
  .object({
    category: z.string(),
    since: time.meta({ description: 'First reading after the change; ISO 8601, UTC' }),
    firstRead: time.optional().meta({
      description: 'When that reading was first read, if it has a date and no time of day; ISO 8601, UTC',
    }),
    before: level,
    now: level,
    size: points,
    interval: z.tuple([points, points]).meta({ description: 'Interval of 95 percent' }),
    standardErrors: z.number(),
    noise: z.number().meta({ description: 'Variance of a reading as a multiple of the binomial' }),
    besides: z.number().meta({ description: 'Another error, in percentage points' }),
    drift: z.number().meta({ description: 'What of the difference a drift explains, in percentage points' }),
    driftSince: time.optional(),
    version: z.object({ from: z.string(), to: z.string() }).optional(),
    alike: z.object({ moved: z.number(), others: z.number(), points: z.number() }).optional(),
  })
  .meta({ description: 'What the published figures show before and after the change' })
const reportedAlert = z.object({
  id: z.string(),
  by: z.enum(['service', 'figures']),
  type: z.string().nullable(),
  model: z.string().nullable(),
  category: z.string().nullable(),
  delta: points.nullable(),
  detectedAt: time.nullable(),
})
const later = reportedAlert.extend({ receivedAt: time })

const alert = z
  .object({
    kind: z.enum(['alert', 'correction', 'withdrawal']),
    id: z.string().meta({ description: 'The event, as `bluepencil explain` knows it' }),
    type: z
      .string()
      .nullable()
      .meta({ description: 'policy_change, censorship_spike, version_change, or as it was written' }),
    model: z.string().nullable(),
    category: z.string().nullable(),
    delta: points.nullable(),
    version: z
      .object({ from: z.string(), to: z.string() })
      .optional()
      .meta({ description: 'Of a version_change, which has neither category nor delta' }),
    detectedAt: time.nullable(),
    receivedAt: time,
    methodology: z.string().nullable().meta({ description: 'Address of the published methodology' }),
    reportedBy: z.enum(['service', 'figures']).meta({
      description:
        'service: the monitoring service reported it. figures: Bluepencil found it in what that publishes',
    }),
    levels: levels.nullable(),
    before: reportedAlert
      .nullable()
      .meta({ description: 'The alert that it corrects or withdraws, or an earlier, smaller change' }),
    alsoReportedAs: z
      .string()
      .nullable()
      .meta({ description: 'Id of the alert about the same change that came by the other way' }),
    revisedBy: later.nullable().meta({ description: 'The alert that replaced it later' }),
    confirmedBy: later.nullable().meta({ description: 'Readings that bear out what one reading showed' }),
    unrecognised: z
      .array(z.object({ field: z.string(), problem: z.string() }))
      .meta({ description: 'Fields of the report that could not be read; they are null above' }),
  })
  .meta({ description: 'The figures of an alert; a field is null if unknown' })

const message = z
  .object({
    tone: z.enum(['rise', 'fall', 'neutral', 'trouble', 'over']),
    kicker: z.string(),
    headline: z.string().meta({ description: 'One sentence that says the change' }),
    text: z.array(z.string()).meta({ description: 'Paragraphs' }),
    facts: z.array(z.object({ label: z.string(), value: z.string() })),
    links: z.array(z.object({ label: z.string(), url: z.string() })),
    caveats: z.array(z.string()).meta({ description: 'What to know before it is published' }),
    source: z.string(),
  })
  .meta({ description: 'What readers see: plain text. Escape it for the place where you show it' })

/** What is posted. Fields may be added; none is taken away or gets another meaning. */
export const WebhookBody = z.object({
  type: z.enum(types),
  timestamp: time.meta({ description: 'When it happened, or when it was edited; ISO 8601, UTC' }),
  data: z.object({
    id: z.string().meta({ description: 'The message: an edit has the id of what it edits' }),
    thread: z.string().meta({ description: 'The same for what belongs together' }),
    alert: alert.optional(),
    story: z.array(alert).optional().meta({
      description: 'The other alerts in this message: of the same model, or of the same category',
    }),
    digest: z
      .object({ id: z.string(), of: z.array(z.string()), from: time, until: time, alerts: z.array(alert) })
      .optional()
      .meta({ description: 'Several alerts that were held, in one message; `of` has all their ids' }),
    notice: z
      .object({ id: z.string(), phase: z.enum(['trouble', 'over']), channel: z.string().nullable() })
      .optional()
      .meta({ description: 'A notice to the people who run Bluepencil' }),
    message,
  }),
})
export type WebhookBody = z.infer<typeof WebhookBody>

/** Published as docs/webhook.schema.json: receivers check with it what they get. */
export function webhookJsonSchema(): Record<string, unknown> {
  return { title: 'What Bluepencil posts to a webhook', ...z.toJSONSchema(WebhookBody, { io: 'input' }) }
}
