import { isIP } from 'node:net'
import * as z from 'zod'
import { isPlaceholder } from '../platform/text.ts'

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

/** Of addresses that are trusted, in CIDR notation. */
export const network = z
  .string()
  .refine((text) => {
    const [address = '', bits = '', ...rest] = text.split('/')
    const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
    return rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most
  }, 'is not a network; write one such as 10.0.0.0/8 or 127.0.0.1/32')
  .refine((text) => !/\/0+$/.test(text), 'is everybody; write the network of the proxy, such as 10.0.0.0/8')
  .refine((text) => !/^::ffff:/i.test(text), 'is IPv4 as IPv6; write it as IPv4, such as 10.0.0.0/8')

/** `reader` looks; `editor` also acts; `admin` also sees the configuration and what people did. */
export const Role = z.enum(['reader', 'editor', 'admin'])
export type Role = z.infer<typeof Role>
