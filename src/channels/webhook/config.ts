import * as z from 'zod'
import { uriDecoded } from '../../platform/text.ts'
import { CommonSettings, channelType, key } from '../settings.ts'

/** Standard Webhooks asks for 24 to 64 random bytes. */
const bytes = { fewest: 24, most: 64 }
/** Random bytes show fewer different ones than this never. */
const fewestDifferent = 8
/** One to sign with before and after the receiver changes it; each costs 50 bytes of a header. */
const mostSecrets = 4

const shortestToken = 12

const secretWrong =
  'must be whsec_ and the base64 of 24 to 64 random bytes, or a list of at most four such; make one with: openssl rand -base64 32'
const secret = z.string(secretWrong).refine(isSigningSecret, secretWrong)

/** Any receiver of HTTP, by its address. */
export const WebhookSettings = CommonSettings.extend({
  type: channelType('webhook'),
  /** Where messages are posted. It may hold a token, and so appears in no text. */
  to: key(
    'The address that each message is posted to, as JSON',
    'https://n8n.desk.example/webhook/alerts',
    z
      .url({ protocol: /^https?$/, error: 'must be a web address that begins with https://', abort: true })
      .refine((url) => new URL(url).username === '' && new URL(url).password === '', {
        error: 'has a user name or a password in it; leave them out',
      }),
    'Address',
  ),
  /** Signs messages; receivers verify with the same. Of several, each makes a signature: receivers accept any. */
  secret: key(
    'Signs each message (Standard Webhooks); a list while it is being changed, each signs then',
    'whsec_TWVldCBtZSBhdCB0aGUgY2xvY2sgYXQgdGVu',
    z.union([secret, z.array(secret).min(1, secretWrong).max(mostSecrets, secretWrong)], secretWrong),
    'Signing secret',
  ),
  /** Whether it may lead into this machine or a private network. */
  allowPrivate: key(
    'Whether the address may lead to this machine or into a private network',
    false,
    z.boolean().default(false),
    'Private network',
  ),
}).refine(({ to, allowPrivate }) => allowPrivate || URL.parse(to)?.protocol !== 'http:', {
  path: ['to'],
  error:
    'begins with http://, which is for a private network alone: write https://, or add allowPrivate: true',
  // Checked even if something else is wrong: `init` asks for the secret later.
  when: ({ value }) => typeof value === 'object' && value !== null,
})
export type WebhookSettings = z.infer<typeof WebhookSettings>

/** One or several, as a list. */
export function signingSecrets({ secret }: Pick<WebhookSettings, 'secret'>): string[] {
  return [secret].flat()
}

/** What must not be seen: the secrets, the address, and what in it may be a token; short parts are ordinary words. */
export function secretsOf(settings: Pick<WebhookSettings, 'to' | 'secret'>): string[] {
  const { pathname, searchParams } = new URL(settings.to)
  const parts = [...pathname.split('/'), ...searchParams.values()].filter(
    (part) => part.length >= shortestToken,
  )
  return [settings.to, ...parts, ...signingSecrets(settings)]
}

/**
 * What an answer must not be quoted with. Any part of the address's path and query may be a token, however short; the
 * loss of a quotation is small.
 */
export function unquotable(settings: Pick<WebhookSettings, 'to' | 'secret'>): string[] {
  const { pathname, search, searchParams } = new URL(settings.to)
  const path = pathname.replace(/^\/+|\/+$/g, '')
  const parts = [path, ...path.split('/').filter(isLikeToken), search.slice(1), ...searchParams.values()]
  return [...secretsOf(settings), ...parts.flatMap((part) => [part, uriDecoded(part)])].filter(Boolean)
}

/** Of a path's parts, `h`, `in` and `v1` are in every other answer. */
function isLikeToken(part: string): boolean {
  return part.length > 3
}

function isSigningSecret(text: string): boolean {
  const [, encoded = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? []
  const key = Buffer.from(encoded, 'base64')
  const isWhole = key.toString('base64').replace(/=+$/, '') === encoded.replace(/=+$/, '')
  const isLong = key.byteLength >= bytes.fewest && key.byteLength <= bytes.most
  return isWhole && encoded.length % 4 === 0 && isLong && new Set(key).size >= fewestDifferent
}
