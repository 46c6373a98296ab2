import * as z from 'zod'

/** "Errors": of the codes it names RATE_LIMIT_EXCEEDED only, the others follow its form. */
export const errorCodes = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  429: 'RATE_LIMIT_EXCEEDED',
  500: 'INTERNAL_ERROR',
  503: 'UNAVAILABLE',
} as const

export const ErrorBody = z.strictObject({
  error: z.strictObject({
    code: z.enum(Object.values(errorCodes)),
    message: z.string().describe('For people.'),
    retry_after: z.number().min(0).describe('Seconds until the next request is free.').optional(),
  }),
})
