import * as z from 'zod'
import { eventTypes, models } from '../change.ts'
import type { ServiceDialect } from '../dialect.ts'
import { withExtraFields } from '../extra-fields.ts'
import { categories } from '../prompts.ts'

/**
 * "Webhook delivery (event payload)". What the specification knows stands as examples, for texts are not restricted:
 * a test may fire what it does not know, and a receiver must bear it.
 */
export const DeliveryBody = z.strictObject({
  id: z
    .string()
    .describe('The same for each try to deliver the event.')
    .meta({ examples: ['evt_5f2c9a'] }),
  type: z
    .string()
    .describe(
      "policy_change: a model's stated policy or observed rules changed. censorship_spike: a refusal rate rose sharply against its baseline.",
    )
    .meta({ examples: [...eventTypes] }),
  model: z.string().meta({ examples: [...models] }),
  data: z.strictObject({
    category: z
      .string()
      .describe('Which refusal rate changed.')
      .meta({ examples: [...categories] }),
    delta: z
      .string()
      .describe('Percentage points: a sign, a number and pp.')
      .meta({ examples: ['+12pp', '-3.5pp'] }),
    detected_at: z
      .string()
      .describe('ISO 8601, UTC.')
      .meta({ examples: ['2026-03-01T09:10:00.000Z'] }),
  }),
  methodology: z
    .string()
    .describe('Address of the published methodology.')
    .meta({ examples: ['https://monitor.example/methodology'] }),
})
export type DeliveryBody = z.infer<typeof DeliveryBody>

/** The bytes that are signed and sent. */
export function writeDelivery(content: DeliveryBody, extraFields: ServiceDialect['extra-fields']): Buffer {
  const written = extraFields === 'yes' ? withExtraFields(DeliveryBody, content) : content
  return Buffer.from(JSON.stringify(written))
}
