import * as z from 'zod'

/** "Webhook delivery (event payload)". Texts are not restricted: a test may fire what the specification does not know. */
export const DeliveryBody = z.strictObject({
  id: z.string(),
  type: z.string(),
  model: z.string(),
  data: z.strictObject({ category: z.string(), delta: z.string(), detected_at: z.string() }),
  methodology: z.string(),
})
