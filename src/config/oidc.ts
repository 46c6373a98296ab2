import * as z from 'zod'
import { isSafe } from '../service/client/http/address.ts'
import { Role } from './role.ts'
import { secretText } from './values.ts'

/** Of one person, or of everybody in a domain. */
const emails = z
  .record(
    z.string().transform((text) => text.toLowerCase()),
    Role,
  )
  .superRefine((all, context) => {
    for (const key of Object.keys(all).filter((one) => !/^[^\s@]*@[^\s@]+$/.test(one))) {
      const message = 'is neither an e-mail address nor a domain; write ana@desk.example or @desk.example'
      context.addIssue({ code: 'custom', path: [key], message })
    }
  })

/**
 * Sign-in with an account of an OpenID provider. The issuer stays as it is written: some end with a slash, and it must be
 * the one that the provider calls itself.
 */
export const Oidc = z.strictObject({
  issuer: z
    .url({
      protocol: /^https?$/,
      error: 'is not an address; write one such as https://login.example/realms/desk',
      abort: true,
    })
    .refine((text) => isSafe(new URL(text)), 'must be https; http is for this machine only')
    .refine((text) => {
      const { username, password, search, hash } = new URL(text)
      return username + password + search + hash === ''
    }, 'has more than an address in it; leave out names, passwords, ? and #'),
  clientId: z.string().min(1, 'is empty; is the variable that it comes from set?'),
  clientSecret: secretText,
  name: z
    .string()
    .regex(/^[^\p{C}]{1,60}$/u, 'must have 1 to 60 characters')
    .optional(),
  scopes: z
    .array(z.string().regex(/^[!-~]+$/, 'is not a scope'))
    .default(['openid', 'profile', 'email'])
    .refine((scopes) => scopes.includes('openid'), 'has no openid, without which nobody is signed in'),
  groupsClaim: z.string().min(1).max(200).default('groups'),
  roles: z
    .strictObject({
      groups: z.record(z.string(), Role).default({}),
      emails: emails.default({}),
      anyone: Role.optional(),
    })
    .refine(
      ({ groups, emails, anyone }) =>
        anyone !== undefined || Object.keys(groups).length + Object.keys(emails).length > 0,
      'gives nobody a role; write groups, emails or anyone',
    ),
})
export type Oidc = z.infer<typeof Oidc>
