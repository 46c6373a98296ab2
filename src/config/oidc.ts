import * as z from 'zod'
import { key, variable } from '../channels/settings.ts'
import { isSafe } from '../platform/outbound/address.ts'
import { Role, secretText } from './values.ts'

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
  issuer: key(
    'The provider, as it calls itself; /.well-known/openid-configuration below it says the rest',
    'https://login.example/realms/desk',
    z
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
  ),
  clientId: key(
    'The name under which the provider knows the console',
    'bluepencil',
    z.string().min(1, 'is empty; is the variable that it comes from set?'),
  ),
  clientSecret: key('The secret that the provider has given for it', variable('OIDC_SECRET'), secretText),
  name: key(
    'The provider’s name on the sign-in button; default: its host name',
    'Keycloak',
    z
      .string()
      .regex(/^[^\p{C}]{1,60}$/u, 'must have 1 to 60 characters')
      .optional(),
  ),
  scopes: key(
    'The scopes to request; some providers send groups only with a scope of their own',
    ['openid', 'profile', 'email', 'groups'],
    z
      .array(z.string().regex(/^[!-~]+$/, 'is not a scope'))
      .default(['openid', 'profile', 'email'])
      .refine((scopes) => scopes.includes('openid'), 'lacks openid, which is needed to sign in'),
  ),
  groupsClaim: key(
    'The claim with the groups of a person, by its name, or by its path such as realm_access.roles',
    'roles',
    z.string().min(1).max(200).default('groups'),
  ),
  roles: key(
    'Who has which role; the highest role counts, and people without a role cannot sign in',
    {
      groups: { newsroom: 'editor' },
      emails: { 'ana@desk.example': 'admin' },
    },
    z
      .strictObject({
        groups: key(
          'By a group',
          { newsroom: 'editor', 'newsroom-admins': 'admin' },
          z.record(z.string(), Role).default({}),
        ),
        emails: key(
          'By an e-mail address, or the domain of one, if the provider says that it is verified',
          {
            'ana@desk.example': 'admin',
            '@desk.example': 'reader',
          },
          emails.default({}),
        ),
        anyone: key(
          'The role of everybody whom the provider signs in; never set it if anyone can open an account there',
          'reader',
          Role.optional(),
        ),
      })
      .refine(
        ({ groups, emails, anyone }) =>
          anyone !== undefined || Object.keys(groups).length + Object.keys(emails).length > 0,
        'gives nobody a role; write groups, emails or anyone',
      ),
  ),
})
export type Oidc = z.infer<typeof Oidc>
