import * as z from 'zod'

/** "Errors". `retry_after` is in seconds. */
export const ErrorBody = z.strictObject({
  error: z.strictObject({ code: z.string(), message: z.string(), retry_after: z.number().optional() }),
})
