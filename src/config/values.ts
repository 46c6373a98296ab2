import * as z from 'zod'
import { isPlaceholder } from '../text/placeholder.ts'

/** A secret that somebody gave us. */
export const secretText = z
  .string()
  .min(1, 'is empty; is the variable that it comes from set?')
  .refine((text) => !isPlaceholder(text), 'is a placeholder; put the real one here')

/** A whole number, also as text, because that is what `${PORT}` gives. */
export function wholeNumber(least: number, most: number) {
  const wrong = `must be a whole number from ${least} to ${most}`
  const number = z.int(wrong).min(least, wrong).max(most, wrong)
  return z.union([number, z.string().regex(/^\d+$/).transform(Number).pipe(number)], wrong)
}

/** An http(s) address without a trailing slash. Addresses are shown in logs and errors, so it holds no password. */
export function address(example: string) {
  return z
    .url({
      protocol: /^https?$/,
      error: ({ input }) =>
        `${input === undefined ? 'is missing' : 'is not an address'}; write one such as ${example}`,
      abort: true,
    })
    .refine((text) => {
      const { username, password } = new URL(text)
      return username === '' && password === ''
    }, 'has a user name or a password in it; leave them out')
    .transform((text) => text.replace(/\/+$/, ''))
}
