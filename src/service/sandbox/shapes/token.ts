import * as z from 'zod'

/** RFC 6749, 5.1. */
export const TokenAnswer = z.strictObject({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  /** Seconds. */
  expires_in: z.int(),
  refresh_token: z.string().optional(),
  scope: z.string(),
})

/** RFC 6749, 5.2. */
export const TokenError = z.strictObject({
  error: z.enum([
    'invalid_request',
    'invalid_client',
    'invalid_grant',
    'unsupported_grant_type',
    'invalid_scope',
  ]),
  error_description: z.string(),
})
export type TokenError = z.infer<typeof TokenError>
