import * as z from 'zod'
import { isLoopback } from '../../platform/outbound/address.ts'
import { CommonSettings, channelType, key, pictures } from '../settings.ts'

/** An address, and the name that mail readers show for it; the name may be empty. */
export interface Mailbox {
  name: string
  address: string
}

/** A mail server and how to enter it, as read from `smtp(s)://user:pass@host:port`. */
export interface SmtpServer {
  /** TLS from the first byte (`smtps`); else STARTTLS. */
  secure: boolean
  host: string
  port: number
  auth?: { user: string; pass: string }
}

const address = z
  .email({
    error: ({ input }) =>
      typeof input === 'string' && /@.*,.*@/.test(input)
        ? 'is several addresses in one text; write a list, such as [one@example.org, two@example.org]'
        : 'is not an e-mail address; write one such as desk@example.org',
  })
  .max(254, 'is too long for an e-mail address (RFC 5321: 254 characters)')

const mailbox = z.string().transform((text, context): Mailbox => {
  const [, name = '', bracketed] = /^\s*"?([^"<>\p{Cc}]*?)"?\s*<([^<>]*)>\s*$/u.exec(text) ?? []
  const parsed = address.safeParse(bracketed ?? text)
  if (parsed.success) return { name: name.trim(), address: lowerDomain(parsed.data) }
  context.addIssue({
    code: 'custom',
    message: 'is not an address; write desk@example.org or "Desk <desk@example.org>"',
  })
  return z.NEVER
})

const smtp = z.string().transform((text, context): SmtpServer => {
  const server = parseSmtp(text.trim())
  if (typeof server !== 'string') return server
  context.addIssue({ code: 'custom', message: server })
  return z.NEVER
})

/** The one mail server that all e-mail channels send through. */
export const EmailAccount = z
  .strictObject({
    /** `smtp(s)://user:pass@host:port`, user and password percent-encoded. */
    smtp: key(
      'smtp(s)://user:password@host:port, user and password percent-encoded',
      'smtp://desk:secret@mail.example:587',
      smtp,
    ),
    /** File with the certificate (PEM) of the authority that signed the server's, in place of the public ones. */
    ca: key(
      'File with the certificate (PEM) of the authority that signed the server’s, in place of the public ones',
      '/etc/ssl/desk-ca.pem',
      z.string().min(1).optional(),
      'Certificate file',
    ),
    from: key('The sender', 'Bluepencil <bluepencil@desk.example>', mailbox, 'Sender'),
    replyTo: key('Where answers go', 'Desk <desk@desk.example>', mailbox.optional(), 'Answers go to'),
    /** Whether mail and password may travel only encrypted; false only if configured so, or on this machine. */
    requireTls: key(
      'Whether mail and password may travel only encrypted; true but on this machine',
      true,
      z.boolean().optional(),
      'Require encryption',
    ),
  })
  .transform((account) => ({
    ...account,
    requireTls: account.requireTls ?? !isLoopback(account.smtp.host),
  }))
export type EmailAccount = z.infer<typeof EmailAccount>

/** One list of readers. Each gets a mail of their own. */
export const EmailSettings = CommonSettings.extend({
  type: channelType('email'),
  pictures: key(
    'A chart of the last 90 days in each alert; it waits for the chart for 3 seconds at most',
    true,
    pictures,
    'Charts',
  ),
  to: key(
    'The readers; each gets a mail of their own',
    ['ombud@desk.example'],
    z
      .union([address, z.array(address).min(1).max(50)], {
        error: 'is missing or is no address; write one, or a list of up to 50',
      })
      .transform((to) => [...new Set([to].flat().map(lowerDomain))]),
    'Recipients',
  ),
})
export type EmailSettings = z.infer<typeof EmailSettings>

/** Returns the server, or a sentence that says what is wrong and does not repeat the address: it holds a password. */
function parseSmtp(text: string): SmtpServer | string {
  if (/^smtps?:.*\s/.test(text)) return 'has a space in it; write %20 for a space in user or password'
  const url = /[\s\p{Cc}]/u.test(text) ? null : URL.parse(text)
  if (url === null || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') || url.hostname === '') {
    return 'is not a mail server; write smtp://user:password@host:587 or smtps://user:password@host:465, with / ? # % in user and password percent-encoded'
  }
  if (url.search !== '' || url.hash !== '' || !['', '/'].includes(url.pathname)) {
    return 'has more after host and port; write ca and requireTls as keys of their own under email, and percent-encode / ? # in user and password'
  }
  if (!/^([a-z0-9.-]+|\[[0-9a-f:.]+\])$/i.test(url.hostname)) {
    return 'has a host that is not a name or an IP address'
  }
  const user = decode(url.username)
  const pass = decode(url.password)
  if (user === undefined || pass === undefined) {
    return 'has a user or password that is not percent-encoded; write % as %25'
  }
  if ((user === '') !== (pass === '')) {
    return 'has a user without a password, or the other way round; write both or neither'
  }
  const secure = url.protocol === 'smtps:'
  return {
    secure,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    ...(user === '' ? {} : { auth: { user, pass } }),
  }
}

/** Undefined if it is not percent-encoding, or hides what would end a line or a field of SMTP's AUTH. */
function decode(text: string): string | undefined {
  try {
    const plain = decodeURIComponent(text)
    return /\p{Cc}/u.test(plain) ? undefined : plain
  } catch {
    return undefined
  }
}

/** Domains ignore case, and the server's answers are matched by address. */
function lowerDomain(text: string): string {
  const at = text.lastIndexOf('@')
  return text.slice(0, at) + text.slice(at).toLowerCase()
}

/** What is known of readers beside the configuration: who wants no more mail, and whom a server refuses. */
export interface MailReaders {
  /** Of these addresses, those that get no mail of the channel now, and why. Rejects if that cannot be read. */
  resting(
    place: { channel: string; server: string },
    addresses: readonly string[],
  ): Promise<ReadonlyMap<string, RestingReason>>
  /** The server says that there is no such mailbox, or that it accepts nothing. Never rejects. */
  refused(refusal: { address: string; server: string; said: string }): Promise<void>
  /** The server accepts mail for it again. Never rejects. */
  accepted(address: string): Promise<void>
  /** What stands at the end of the link that ends this channel's mail; undefined if none can be made. Never rejects. */
  token(channel: string, address: string): Promise<string | undefined>
}

/** Times are ISO 8601, UTC. */
export type RestingReason =
  | { why: 'unsubscribed'; since: string }
  /** Not tried again until then. */
  | { why: 'refused'; since: string; until: string; said: string }

/** For who asks past the store: nobody rests, and nothing is remembered. */
export const unknownReaders: MailReaders = {
  resting: async () => new Map(),
  refused: async () => {},
  accepted: async () => {},
  token: async () => undefined,
}
