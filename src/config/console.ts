import * as z from 'zod'
import { Oidc } from './oidc.ts'
import { Role } from './role.ts'
import { address, network, wholeNumber } from './values.ts'

const personName = z.string().regex(/^[^\p{C}\p{Z}]{1,100}$/u, 'must be a name without blanks, such as ana')

/** The web console: where it listens, and who may use it. Where nobody has to sign in, it answers at this machine alone. */
export const Console = z.strictObject({
  listen: z
    .strictObject({
      host: z.string().min(1).optional(),
      port: z
        .union(
          [z.literal('server'), wholeNumber(0, 65_535)],
          'write a whole number from 0 to 65535, or server',
        )
        .default(8081),
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

/** Where it listens by itself; undefined where it shares the listener of `server`. */
export function ownListener({ listen }: Pick<Console, 'listen'>): { host: string; port: number } | undefined {
  const { host = '127.0.0.1', port } = listen
  return port === 'server' ? undefined : { host, port }
}

/** The listener of deliveries. */
interface DeliveryListener {
  host: string
  port: number
  trustProxy?: readonly string[] | undefined
  /** What else is answered there. */
  paths: readonly string[]
}

/** What is wrong with it as a whole, and at which key. */
export function wrongOf(
  console: Console,
  beside: DeliveryListener,
): { at: (string | number)[]; why: string }[] {
  const { publicUrl, users, oidc } = console
  const own = ownListener(console)
  const isReachable = own === undefined || !isThisMachine(own.host)
  const isOpen = !hasSignIn(console) && isReachable
  const names = users?.map(({ name }) => name) ?? []
  return [
    ...(isOpen
      ? [
          {
            at: ['listen', own === undefined ? 'port' : 'host'],
            why: `can be reached from other machines, and nobody has to sign in; write console.users, console.oidc or console.proxy, or ${own === undefined ? 'another port' : '127.0.0.1'} here`,
          },
        ]
      : []),
    ...(own === undefined ? wrongWhereShared(console, beside) : []),
    ...(own !== undefined && isTaken(own, beside)
      ? [
          {
            at: ['listen', 'port'],
            why: 'is that of server too; write another one, or server to share it behind a proxy',
          },
        ]
      : []),
    ...(own !== undefined && oidc !== undefined && publicUrl === undefined && isReachable
      ? [{ at: ['publicUrl'], why: 'is missing: the provider of console.oidc sends people back to it' }]
      : []),
    ...names.flatMap((name, index) =>
      names.indexOf(name) === index
        ? []
        : [{ at: ['users', index, 'name'], why: `there is another ${name}` }],
    ),
  ]
}

function isTaken(own: { host: string; port: number }, server: DeliveryListener): boolean {
  const isAll = (host: string) => ['0.0.0.0', '::'].includes(host)
  const isSameHost = own.host === server.host || isAll(own.host) || isAll(server.host)
  return own.port !== 0 && own.port === server.port && isSameHost
}

function wrongWhereShared(console: Console, { trustProxy, paths }: DeliveryListener) {
  const { listen, publicUrl } = console
  const own = consolePath(console)
  const taken = paths.find((path) => own === path || own.startsWith(`${path}/`))
  const proxies =
    'server shares the listener of deliveries, behind a proxy; write the networks of the proxy under server.trustProxy'
  return [
    ...(trustProxy === undefined ? [{ at: ['listen', 'port'], why: proxies }] : []),
    ...(listen.host === undefined
      ? []
      : [{ at: ['listen', 'host'], why: 'is that of server here; leave it out' }]),
    ...(taken === undefined
      ? []
      : [{ at: ['publicUrl'], why: `has the path of something else, ${taken}; write another` }]),
    ...(publicUrl === undefined
      ? [{ at: ['publicUrl'], why: 'is missing: it says below which path of server the console is' }]
      : []),
  ]
}

/** What is missing if people come through a proxy, and nothing says which; undefined if nothing is. */
export function proxyNotNamed(
  console: Console | undefined,
  { trustProxy }: Pick<DeliveryListener, 'trustProxy'>,
): string | undefined {
  if (console === undefined || trustProxy !== undefined || console.proxy !== undefined) return undefined
  const { publicUrl, listen } = console
  if (publicUrl === undefined || !hasSignIn(console)) return undefined
  const { protocol, hostname, port } = new URL(publicUrl)
  const isElsewhere = protocol === 'https:' || (port === '' ? 80 : Number(port)) !== listen.port
  if (!isElsewhere || isThisMachine(hostname)) return undefined
  return `${publicUrl} leads through a proxy that server.trustProxy does not name: failed sign-ins are limited by name alone, not by network`
}

/** Whether people are asked who they are. */
export function hasSignIn({ users, proxy, oidc }: Pick<Console, 'users' | 'proxy' | 'oidc'>): boolean {
  return users !== undefined || proxy !== undefined || oidc !== undefined
}

function isThisMachine(host: string): boolean {
  return ['localhost', '::1'].includes(host) || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/** The address under which people reach it, without a slash at its end; undefined if that is not set. */
export function publicRoot({ publicUrl }: Pick<Console, 'publicUrl'>): string | undefined {
  return publicUrl && `${new URL(publicUrl).origin}${consolePath({ publicUrl })}`
}

/** Below which path all of it stands, without a slash at its end. */
export function consolePath({ publicUrl }: Pick<Console, 'publicUrl'>): string {
  const path = publicUrl === undefined ? '/' : new URL(publicUrl).pathname
  return path === '/' ? '/console' : path
}

/** Where the page of an entry is, under the console's root. */
export function alertPath(base: string, id: string): string {
  return `${base}/alerts/${encodeURIComponent(id.toWellFormed())}`
}
