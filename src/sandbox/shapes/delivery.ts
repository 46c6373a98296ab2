import * as z from 'zod'
import type { Dialect } from '../dialect.ts'
import { withExtraFields } from '../extra-fields.ts'

/** "Webhook delivery (event payload)". Texts are not restricted: a test may fire what the specification does not know. */
export const DeliveryBody = z.strictObject({
  id: z.string(),
  type: z.string(),
  model: z.string(),
  data: z.strictObject({ category: z.string(), delta: z.string(), detected_at: z.string() }),
  methodology: z.string(),
})
export type DeliveryBody = z.infer<typeof DeliveryBody>

/** The bytes that are signed and sent. */
export function writeDelivery(content: DeliveryBody, extraFields: Dialect['extra-fields']): Buffer {
  const written = extraFields === 'yes' ? withExtraFields(DeliveryBody, content) : content
  return Buffer.from(JSON.stringify(written))
}
