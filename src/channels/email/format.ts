import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import Mustache from 'mustache'
import stringWidth from 'string-width'
import type { Link, Message } from '../../message/message.ts'
import type { Language } from '../../message/words/phrases.ts'
import { wordsOf } from '../../message/words/words.ts'
import { wrap } from '../../platform/terminal.ts'
import { cut, oneLine } from '../../platform/text.ts'
import type { Picture } from '../channel.ts'
import type { EmailAccount, EmailSettings, Mailbox } from './config.ts'

export interface Envelope {
  from: Mailbox
  replyTo?: Mailbox
  to: string
  /** The channel's name. */
  channel: string
  /** The domain that vouches for Message-ID and List-Id: that of the from-address. */
  domain: string
  /** Shown in the page; the text part has its words. */
  picture?: Picture
  /** Where this recipient ends this channel's mail with a click; https. Without it, by a mail to who answers. */
  unsubscribe?: string
}

/** Of each mail of a channel to one of its readers. */
export function envelopeOf(
  { from, replyTo }: EmailAccount,
  { name: channel }: EmailSettings,
  to: string,
): Envelope {
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  return { from, ...(replyTo !== undefined && { replyTo }), to, channel, domain }
}

/** One mail, in the words of Nodemailer's options. `Date` is left to the time of sending. */
export interface EmailPayload {
  from: Mailbox
  replyTo?: Mailbox
  to: string
  subject: string
  text: string
  html: string
  messageId: string
  inReplyTo: string
  references: string
  list: { id: { comment: string; url: string }; unsubscribe: string }
  headers: Record<string, string>
  textEncoding: 'quoted-printable'
  attachments?: InlinePicture[]
}

/** A part beside the page, which shows it by its Content-ID. */
interface InlinePicture {
  cid: string
  filename: string
  content: Buffer
  contentType: 'image/png'
  contentDisposition: 'inline'
}

/** Made from layout.mjml by `npm run layout`. */
const html = readFileSync(new URL('./layout.html.mustache', import.meta.url), 'utf8')
const plain = readFileSync(new URL('./layout.txt.mustache', import.meta.url), 'utf8')

/** Columns of the text part; RFC 5322 asks for less than 78. */
const width = 74

/**
 * Gmail hides what is beyond 102 kB of a mail. Texts are cut far below that, in graphemes; an alert as the
 * service documents it reaches none of these.
 */
const most = {
  headline: 300,
  subject: 150,
  paragraphs: 12,
  paragraph: 1200,
  facts: 24,
  caveats: 12,
  links: 8,
  label: 60,
  value: 300,
  url: 1800,
}

/** What the Message-IDs of a message begin with, the same for all readers of a channel. */
export function messageRoot(message: Message, channel: string): string {
  return `bluepencil.${digest('event', channel, message.id)}`
}

/**
 * The message as the mail of one recipient, with a text and an HTML part of the same words. The same event, channel and
 * recipient give the same Message-ID on every try, so that a server or a reader can drop a repeat.
 */
export function formatEmail(message: Message, envelope: Envelope): EmailPayload {
  const { from, replyTo, to, channel, domain, unsubscribe } = envelope
  const contact = (replyTo ?? from).address
  const cid = `bluepencil.chart.${digest('chart', channel, message.id)}@${domain}`
  const picture = envelope.picture && { cid, alt: serviceText(envelope.picture.alt, most.paragraph) }
  const view = { ...viewOf(message, { channel, contact, unsubscribe }), picture }
  const thread = `<bluepencil.thread.${digest('thread', channel, message.thread)}@${domain}>`
  return {
    from,
    ...(replyTo === undefined ? {} : { replyTo }),
    to,
    subject: unlink(cut(oneLine(message.headline), most.subject)),
    text: Mustache.render(plain, wrapped(view), {}, { escape: String }),
    html: Mustache.render(html, view),
    messageId: `<${messageRoot(message, channel)}.${digest('reader', to).slice(0, 16)}@${domain}>`,
    inReplyTo: thread,
    references: thread,
    list: {
      id: { comment: `Bluepencil ${channel}`, url: `bluepencil.${channel}.${domain}` },
      unsubscribe: unsubscribe ?? `mailto:${asPath(contact)}?subject=unsubscribe%20${channel}`,
    },
    headers: {
      // RFC 3834: a vacation responder stays silent; Exchange reads the second one.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      // RFC 8058, 3.1: one POST to that address ends it.
      ...(unsubscribe === undefined ? {} : { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
    textEncoding: 'quoted-printable',
    ...(envelope.picture && { attachments: [inlined(envelope.picture, cid)] }),
  }
}

function inlined({ png }: Picture, cid: string): InlinePicture {
  const content = Buffer.from(png)
  return { cid, filename: 'chart.png', content, contentType: 'image/png', contentDisposition: 'inline' }
}

interface MailTemplateData {
  /** As `lang` names it (BCP 47). */
  language: Language
  tone: Message['tone']
  kicker: string
  headline: string
  /** What a list of mails shows after the subject. */
  preview: string
  text: string[]
  facts: { label: string; value: string }[]
  hasFacts: boolean
  hasTable: boolean
  caveats: string[]
  noteToEditors: string
  hasCaveats: boolean
  links: Link[]
  footer: string[]
  picture?: { cid: string; alt: string } | undefined
  unsubscribe: string | undefined
  /** What the link to that is called. */
  unsubscribeLabel: string
}

interface MailRecipient {
  channel: string
  contact: string
  unsubscribe: string | undefined
}

function viewOf(message: Message, { channel, contact, unsubscribe }: MailRecipient): MailTemplateData {
  const words = wordsOf(message.language)
  const text = some(message.text, most.paragraphs, most.paragraph)
  const links = message.links.slice(0, most.links).flatMap(plainLink)
  const caveats = some(message.caveats, most.caveats, most.paragraph)
  const facts = message.facts.slice(0, most.facts).map(({ label, value }) => ({
    label: serviceText(label, most.label),
    value: serviceText(value, most.value),
  }))
  return {
    language: words.language,
    tone: message.tone,
    kicker: serviceText(message.kicker, most.label),
    headline: serviceText(message.headline, most.headline),
    preview: text[0] ?? facts.map((fact) => words.say('labelled', fact)).join(' · '),
    text,
    facts,
    hasFacts: facts.length > 0,
    hasTable: facts.length + links.length > 0,
    caveats,
    noteToEditors: words.say('noteToEditors'),
    hasCaveats: caveats.length > 0,
    links,
    footer: [
      serviceText(message.source, most.paragraph),
      words.say('whyThisMail', { channel }),
      words.say(unsubscribe === undefined ? 'howToStop' : 'howToChange', { contact }),
    ],
    unsubscribe,
    unsubscribeLabel: words.say('unsubscribe'),
  }
}

function some(texts: readonly string[], count: number, graphemes: number): string[] {
  return texts.slice(0, count).map((text) => serviceText(text, graphemes))
}

/** Words of the service as a reader may see them: one line, bounded, and no link of its own. */
function serviceText(text: string, graphemes: number): string {
  return unlink(cut(oneLine(text), graphemes))
}

/** Only web addresses become links, and only such as fit on a page; an address that was cut would lead elsewhere. */
function plainLink({ label, url }: Link): Link[] {
  const parsed = URL.parse(url)
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol)) return []
  return parsed.href.length > most.url ? [] : [{ label: serviceText(label, most.label), url: parsed.href }]
}

/** The same words for a fixed-width page. Links stay on one line: a wrapped address cannot be opened. */
function wrapped(view: MailTemplateData) {
  const { say } = wordsOf(view.language)
  const indent = Math.min(Math.max(0, ...view.facts.map(({ label }) => stringWidth(label))), 22) + 2
  return {
    ...view,
    kicker: wrap(view.kicker.toLocaleUpperCase(view.language), width).join('\n'),
    headline: wrap(view.headline, width).join('\n'),
    text: view.text.map((paragraph) => wrap(paragraph, width).join('\n')),
    facts: view.facts.map(({ label, value }) => fact(label, value, indent)).join('\n'),
    picture:
      view.picture &&
      wrap(say('labelled', { label: say('chart'), value: view.picture.alt }), width).join('\n'),
    links: view.links.map(({ label, url }) => ({ label: say('heading', { label }), url })),
    noteToEditors: say('heading', { label: view.noteToEditors }),
    caveats: view.caveats.map((caveat) => hanging('* ', caveat, 2)).join('\n'),
    footer: view.footer.flatMap((line) => wrap(line, width)).join('\n'),
  }
}

function fact(label: string, value: string, indent: number): string {
  const size = stringWidth(label)
  if (size + 2 > indent)
    return `${wrap(label, width).join('\n')}\n${hanging(' '.repeat(indent), value, indent)}`
  return hanging(label + ' '.repeat(indent - size), value, indent)
}

function hanging(first: string, text: string, indent: number): string {
  return first + wrap(text, width - indent).join(`\n${' '.repeat(indent)}`)
}

/** 128 bits of a hash; the parts cannot run into each other, as no name of a channel holds a line end. */
function digest(...parts: string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32)
}

/** An address as a mailto names it (RFC 6068). */
function asPath(address: string): string {
  return encodeURIComponent(address).replace('%40', '@')
}

/** What keys of the configuration and files of ours end in, and no domain on the web does. */
const ours = [
  'apiKey|apiUrl|appToken|applicationId|basePath|baseUrl|clientId|clientSecret|groupsClaim|interval|intervalMs|issuer|key',
  'alertsPath|gateway|heartbeat|listen|minDelta|mode|oauth|oidc|password|path|port|proxy|publicKey|publicUrl|rates|replyTo',
  'requireTls|retention|role|roles|scopes|secret|secrets|signature|signingSecret|smtp|tier|timeZone|token|tokenUrl',
  'trustProxy|users|webhookUrl|env|ids|journal|json|lock|sqlite|yaml|yml|damaged-\\d+',
].join('|')

/** A name of ours, which people copy; or else a dot that could be one of a domain. */
const dotted = new RegExp(
  `(?<![\\p{L}\\p{N}_.-])[\\w-]+(?:\\.(?:${ours}))+(?![\\p{L}\\p{N}_-]|[.。．｡][\\p{L}\\p{N}])|(?<=[\\p{L}\\p{N}_-])[.。．｡](?=[\\p{L}\\p{N}])|(?<=www)[.。．｡]`,
  'giu',
)

/**
 * Mail readers make links of what looks like one, unasked: `https://x`, `www.x.y`, `x.example`, `a@b`. A
 * zero-width space before the sign that they look for stops that, and is not seen. "GPT-4.5" and `slack.token`
 * stay as they are. `www.` is broken also if a cut or the end of a line follows: the reader joins what comes next.
 */
export function unlink(text: string): string {
  return text
    .replace(/(?<=\p{L}[\p{L}\p{N}+.-]*):(?=[^\s:])|@/gu, '\u200b$&')
    .replace(dotted, (match, at: number, whole: string) =>
      match.length > 1 || /^\d.\d$/u.test(whole.slice(at - 1, at + 2)) ? match : `\u200b${match}`,
    )
}
