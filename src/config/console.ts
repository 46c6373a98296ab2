import { isIP } from 'node:net'
import * as z from 'zod'
import { Oidc } from './oidc.ts'
import { Role } from './role.ts'
import { address, wholeNumber } from './values.ts'

const network = z.string().refine((text) => {
  const [address = '', bits = '', ...rest] = text.split('/')
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most
}, 'is not a network; write one such as 10.0.0.0/8 or 127.0.0.1/32')

const personName = z.string().regex(/^[^\p{C}\p{Z}]{1,100}$/u, 'must be a name without blanks, such as ana')

/** The web console: where it listens, and who may use it. Where nobody has to sign in, it answers at this machine alone. */
export const Console = z.strictObject({
  listen: z
    .strictObject({
      host: z.string().min(1).default('127.0.0.1'),
      port: wholeNumber(0, 65_535).default(8081),
    })
    .prefault({}),
  publicUrl: address('https://desk.example/console').optional(),
  users: z
    .array(
      z.strictObject({
        name: personName,
        password: z.string().regex(/^\$scrypt\$ln=1[4-7],r=\d{1,2},p=\d\$[\w+/]{16,64}\$[\w+/]{22,88}$/, {
          error: 'is not what console-user prints; run npx bluepencil console-user NAME',
        }),
        role: Role.default('reader'),
      }),
    )
    .min(1, 'is an empty list; leave the key out where nobody is to sign in')
    .optional(),
  proxy: z
    .strictObject({
      header: z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, 'is not the name of a header'),
      from: z.array(network).min(1),
      roles: z.record(z.string(), Role),
    })
    .optional(),
  oidc: Oidc.optional(),
})
export type Console = z.infer<typeof Console>

/** What is wrong with it as a whole, and at which key. */
export function wrongOf(console: Console): { at: (string | number)[]; why: string }[] {
  const { listen, publicUrl, users, oidc } = console
  const isReachable = !isThisMachine(listen.host)
  const isOpen = !hasSignIn(console) && isReachable
  const names = users?.map(({ name }) => name) ?? []
  return [
    ...(isOpen
      ? [
          {
            at: ['listen', 'host'],
            why: 'can be reached from other machines, and nobody has to sign in; write console.users, console.oidc or console.proxy, or 127.0.0.1 here',
          },
        ]
      : []),
    ...(oidc !== undefined && publicUrl === undefined && isReachable
      ? [{ at: ['publicUrl'], why: 'is missing: the provider of console.oidc sends people back to it' }]
      : []),
    ...names.flatMap((name, index) =>
      names.indexOf(name) === index
        ? []
        : [{ at: ['users', index, 'name'], why: `there is another ${name}` }],
    ),
  ]
}

/** Whether people are asked who they are. */
export function hasSignIn({ users, proxy, oidc }: Pick<Console, 'users' | 'proxy' | 'oidc'>): boolean {
  return users !== undefined || proxy !== undefined || oidc !== undefined
}

function isThisMachine(host: string): boolean {
  return ['localhost', '::1'].includes(host) || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/** Below which path all of it stands, without a slash at its end. */
export function consolePath({ publicUrl }: Pick<Console, 'publicUrl'>): string {
  const path = publicUrl === undefined ? '/' : new URL(publicUrl).pathname
  return path === '/' ? '/console' : path
}
