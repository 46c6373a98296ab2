import * as z from 'zod'
import { key, variable } from '../channels/settings.ts'
import { Oidc } from './oidc.ts'
import { address, network, Role, wholeNumber } from './values.ts'

const personName = z.string().regex(/^[^\p{C}\p{Z}]{1,100}$/u, 'must be a name without blanks, such as ana')

/** The web console: its address, and who may use it. If nobody has to sign in, only this machine can reach it. */
export const Console = z.strictObject({
  listen: key(
    'Where it listens',
    { host: '127.0.0.1', port: 8081 },
    z
      .strictObject({
        host: key(
          'The address of this machine, 127.0.0.1 where nothing is said; another only with users, oidc or proxy',
          '127.0.0.1',
          z.string().min(1).optional(),
        ),
        port: key(
          'The TCP port; 0 picks a free one; server is that of deliveries, behind server.trustProxy, at the path of publicUrl',
          8081,
          z
            .union(
              [z.literal('server'), wholeNumber(0, 65_535)],
              'write a whole number from 0 to 65535, or server',
            )
            .default(8081),
        ),
      })
      .prefault({}),
  ),
  publicUrl: key(
    'Address under which people reach it, behind a proxy that keeps the path; messages link to it. Else the path is /console',
    'https://desk.example/bluepencil',
    address('https://desk.example/console').optional(),
  ),
  users: key(
    'Who may sign in',
    [
      {
        name: 'ana',
        password: '$scrypt$ln=15,r=8,p=3$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
        role: 'editor',
      },
    ],
    z
      .array(
        z.strictObject({
          name: key('By which they sign in, and which stands beside what they do', 'ana', personName),
          password: key(
            'What console-user prints: a hash, not the password',
            '$scrypt$ln=15,r=8,p=3$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
            z.string().regex(/^\$scrypt\$ln=1[4-7],r=\d{1,2},p=\d\$[\w+/]{16,64}\$[\w+/]{22,88}$/, {
              error: 'is not a hash from console-user; run npx bluepencil console-user NAME',
            }),
          ),
          role: key(
            'reader: sees everything else; editor: can also act; admin: can also see the configuration and the audit log',
            'editor',
            Role.default('reader'),
          ),
        }),
      )
      .min(1, 'is an empty list; leave the key out if nobody needs to sign in')
      .optional(),
  ),
  edit: key(
    'Whether people change the configuration here; with false the file stands alone',
    false,
    z.boolean().default(true),
  ),
  proxy: key(
    'A proxy that signs people in, and says who they are in a header',
    {
      header: 'X-Forwarded-User',
      from: ['127.0.0.1/32'],
      roles: { ana: 'admin', '*': 'reader' },
    },
    z
      .strictObject({
        header: key(
          'The header with the name of the person; the proxy must remove what others send under it',
          'X-Forwarded-User',
          z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, 'is not the name of a header'),
        ),
        from: key(
          'The networks from which the proxy comes; from elsewhere the header counts for nothing',
          ['127.0.0.1/32'],
          z.array(network).min(1),
        ),
        roles: key(
          'The role of each person; * is everybody else, who otherwise has none',
          {
            ana: 'admin',
            '*': 'reader',
          },
          z.record(z.string(), Role),
        ),
      })
      .optional(),
  ),
  oidc: key(
    'Sign-in with an account of an OpenID Connect provider, such as Keycloak, Entra ID, Okta or Google',
    {
      issuer: 'https://login.example/realms/desk',
      clientId: 'bluepencil',
      clientSecret: variable('OIDC_SECRET'),
      roles: { groups: { newsroom: 'editor', 'newsroom-admins': 'admin' } },
    },
    Oidc.optional(),
  ),
})
export type Console = z.infer<typeof Console>

/** Where it listens by itself; undefined if it shares the listener of `server`. */
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

/** What is wrong with it as a whole, and at which key. Before it is set up, only the one-time key of the log leads in. */
export function consoleProblems(
  console: Console,
  beside: DeliveryListener,
  isSetUp: boolean,
): { at: (string | number)[]; why: string }[] {
  const { publicUrl, users, oidc } = console
  const listener = ownListener(console)
  const isReachable = listener === undefined || !isThisMachine(listener.host)
  const isOpen = !hasSignIn(console) && isReachable && isSetUp
  const names = users?.map(({ name }) => name) ?? []
  return [
    ...(isOpen
      ? [
          {
            at: ['listen', listener === undefined ? 'port' : 'host'],
            why: `can be reached from other machines, and nobody has to sign in; write console.users, console.oidc or console.proxy, or ${listener === undefined ? 'another port' : '127.0.0.1'} here`,
          },
        ]
      : []),
    ...(listener === undefined ? problemsIfShared(console, beside) : []),
    ...(listener !== undefined && isTaken(listener, beside)
      ? [
          {
            at: ['listen', 'port'],
            why: 'is that of server too; write another one, or server to share it behind a proxy',
          },
        ]
      : []),
    ...(listener !== undefined && oidc !== undefined && publicUrl === undefined && isReachable
      ? [{ at: ['publicUrl'], why: 'is missing: the provider of console.oidc sends people back to it' }]
      : []),
    ...names.flatMap((name, index) =>
      names.indexOf(name) === index
        ? []
        : [{ at: ['users', index, 'name'], why: `there is another ${name}` }],
    ),
  ]
}

function isTaken(listener: { host: string; port: number }, server: DeliveryListener): boolean {
  const isAll = (host: string) => ['0.0.0.0', '::'].includes(host)
  const isSameHost = listener.host === server.host || isAll(listener.host) || isAll(server.host)
  return listener.port !== 0 && listener.port === server.port && isSameHost
}

function problemsIfShared(console: Console, { trustProxy, paths }: DeliveryListener) {
  const { listen, publicUrl } = console
  const path = consolePath(console)
  const taken = paths.find((other) => path === other || path.startsWith(`${other}/`))
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

/** Accounts were made in the browser and cannot be read: nobody gets in. A file cannot have an empty list. */
export function isLockedOut({ users }: Pick<Console, 'users'>): boolean {
  return users?.length === 0
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
