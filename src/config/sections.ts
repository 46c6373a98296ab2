import * as z from 'zod'
import { duration, key, variable } from '../channels/settings.ts'
import { isSafe } from '../platform/outbound/address.ts'
import { whyNoSecret } from './signing-secret.ts'
import { address, network, secretText, wholeNumber } from './values.ts'

const path = z.string().regex(/^\/[\w\-./~]*$/, 'must begin with / and hold letters, digits, - . _ ~ and /')
const tierWrong =
  'is not a plan; write free, researcher or pro, or the requests per hour as a number of at least 20'

const OAuth = z.strictObject({
  tokenUrl: key(
    'Where Bluepencil gets its tokens (RFC 6749)',
    'https://monitor.example/oauth/token',
    z
      .url({
        protocol: /^https?$/,
        error: 'is not an address; write one such as https://monitor.example/token',
      })
      .refine((text) => isSafe(new URL(text)), 'must be https; http is for this machine only')
      .refine(
        (text) => new URL(text).username === '' && new URL(text).password === '',
        'has a password in it',
      ),
    'Address for tokens',
  ),
  clientId: key('The name of the client, as the service gave it', 'desk', secretText, 'Client id'),
  clientSecret: key('The password of the client', variable('OAUTH_SECRET'), secretText, 'Client secret'),
  scopes: key(
    'What Bluepencil asks for; webhooks.write if you set nothing',
    ['webhooks.write'],
    z.array(z.string().regex(/^[!-~]+$/, 'is not a scope')).optional(),
    'Scopes',
  ),
  refreshToken: key(
    'Acts for the user who gave it, instead of in the client’s own name',
    variable('OAUTH_REFRESH_TOKEN'),
    secretText.optional(),
    'Refresh token',
  ),
})

export const Monitor = z
  .strictObject({
    baseUrl: key(
      'Its base address, ending in /v1',
      'https://monitor.example/v1',
      address('https://monitor.example/v1'),
      'Address of the service',
    ),
    apiKey: key(
      'The key that the service gave you, unless you use OAuth',
      variable('MONITOR_API_KEY'),
      secretText
        .regex(/^[!-~]*$/, 'has a character that no key has, such as a space or a curly quote; copy it again')
        .optional(),
      'API key',
    ),
    oauth: key(
      'OAuth 2.0 client credentials, instead of an API key',
      {
        tokenUrl: 'https://monitor.example/oauth/token',
        clientId: 'desk',
        clientSecret: variable('OAUTH_SECRET'),
      },
      OAuth.optional(),
      'OAuth client',
    ),
    tier: key(
      'The plan of the key, or its requests per hour; a quarter is reserved for people’s requests',
      'researcher',
      z
        .union([z.enum(['free', 'researcher', 'pro']), wholeNumber(20, 10_000_000)], tierWrong)
        .default('free'),
      'Plan',
    ),
    rates: key(
      'How the service writes refusal rates; auto finds out from the readings',
      'auto',
      z.enum(['auto', 'fraction', 'percent']).default('auto'),
      'How rates are written',
    ),
    name: key(
      'What the service is called in the messages',
      'Censorship Monitoring Service',
      z.string().min(1).default('Censorship Monitoring Service'),
      'Name in messages',
    ),
  })
  .superRefine(({ apiKey, oauth }, context) => {
    const wrong = (where: string, message: string) =>
      context.addIssue({ code: 'custom', path: [where], message })
    if (apiKey === undefined && oauth === undefined) {
      wrong('apiKey', 'is missing; write monitor.apiKey, or monitor.oauth instead')
    }
    if (apiKey !== undefined && oauth !== undefined) {
      wrong('oauth', 'is set together with monitor.apiKey; keep one of the two')
    }
  })

const Signature = z.strictObject({
  hash: key(
    'The hash function of the signature',
    'sha256',
    z.enum(['sha256', 'sha512', 'sha384', 'sha1']).optional(),
  ),
  encoding: key('How the signature is written', 'hex', z.enum(['hex', 'base64', 'base64url']).optional()),
  key: key(
    'Which part of the whsec_… secret is the key',
    'whole',
    z.enum(['whole', 'without-prefix', 'base64-decoded']).optional(),
  ),
})

export const secretAdvice =
  'copy the whole secret that the service showed when the subscription was made, or make a new one'

const signingSecret = z.string().superRefine((secret, context) => {
  const why = whyNoSecret(secret)
  if (why !== undefined) context.addIssue({ code: 'custom', message: `${why}; ${secretAdvice}` })
})

export const Webhook = z.strictObject({
  path: key('Where deliveries are received', '/webhook', path.default('/webhook')),
  publicUrl: key(
    'Address at which the service reaches Bluepencil; an address with a path is used unchanged',
    'https://alerts.desk.example',
    address('https://alerts.desk.example').optional(),
    'Our own address',
  ),
  secrets: key(
    'Signing secrets of subscriptions that you made by hand',
    ['whsec_3f9d1c7ab2e84d5f9a6c0b1e2d3f4a5b'],
    z.array(signingSecret).default([]),
  ),
  signature: key(
    'auto tries every plausible form; hash, encoding and key pin it',
    'auto',
    z
      .union(
        [z.literal('auto').transform(() => ({})), Signature],
        'write auto, or keys of its own: hash (sha256, sha512, sha384, sha1), encoding (hex, base64, base64url), key (whole, without-prefix, base64-decoded)',
      )
      .prefault('auto'),
  ),
})

export const Polling = z.strictObject({
  mode: key(
    'auto: a cross-check while webhooks are healthy, at full rate while they are not',
    'auto',
    z.enum(['auto', 'always', 'off']).default('auto'),
  ),
  interval: key(
    'The shortest time between two readings of the figures; default: as fast as the tier allows',
    '5m',
    duration({ least: '10s', most: '1d', usual: '5m' }).optional(),
  ),
  alertsPath: key(
    'Where the service lists its alerts; without it, a few plausible paths are tried',
    '/monitoring/alerts',
    z
      .string()
      .regex(/^\/[\w\-./~]+$/, 'must be a path below monitor.baseUrl, such as /monitoring/alerts')
      .optional(),
  ),
})

export const Server = z.strictObject({
  host: key(
    'The address to listen on; 127.0.0.1 behind a proxy on the same machine',
    '127.0.0.1',
    z.string().min(1).default('0.0.0.0'),
  ),
  port: key('The TCP port; 0 picks a free one', 8080, wholeNumber(0, 65_535).default(8080)),
  basePath: key(
    'Prefix of every path, behind a proxy that keeps it',
    '/bluepencil',
    z.union([z.literal(''), path]).default(''),
  ),
  publicUrl: key(
    'Address under which people reach us, for links in mails; webhook.publicUrl where nothing is said',
    'https://alerts.desk.example',
    address('https://alerts.desk.example').optional(),
  ),
  trustProxy: key(
    'The networks of your proxies. Bluepencil believes their headers about the client; a console with listen.port: server accepts only them',
    ['10.0.0.0/8'],
    z.array(network).min(1, 'is an empty list; leave the key out if there is no proxy').optional(),
  ),
})

export const Heartbeat = z.strictObject({
  url: key(
    'Its address; Bluepencil sends a GET request while all is well',
    'https://hc-ping.com/ID',
    address('https://hc-ping.com/ID').refine(
      (text) => isSafe(new URL(text)),
      'must be https; http is for this machine only',
    ),
  ),
  every: key('How often', '5m', duration({ least: '30s', most: '1d', usual: '5m' }).prefault('5m')),
})

/** Slack's ids of people begin with U or W; Discord's are numbers. */
const personId = z
  .string({ error: 'is not text: write the id in quotes' })
  .regex(
    /^([UW][A-Z0-9]{5,}|\d{17,20})$/,
    'is not the id of a person; write one such as U012AB3CD (Slack) or "1180000000000000001" (Discord)',
  )
const permitted = z.union(
  [z.literal('anyone'), z.array(personId).min(1, 'is an empty list; write anyone, or at least one id')],
  { error: 'write anyone, or a list of the ids of people' },
)
export const Chat = z.strictObject({
  acknowledge: key(
    'Who may acknowledge alerts: anyone, or a list of ids of people',
    'anyone',
    permitted.default('anyone'),
  ),
  silence: key(
    'Who may silence alerts: anyone, or a list of ids of people',
    ['U012AB3CD', '1180000000000000001'],
    permitted.default('anyone'),
  ),
})

/** A chart shows ninety days. */
export const Figures = z.strictObject({
  retention: key(
    'How long published figures are kept, five years if you set nothing',
    '1826d',
    duration({ least: '90d', most: '3650d', usual: '1826d' }).prefault('1826d'),
  ),
})
