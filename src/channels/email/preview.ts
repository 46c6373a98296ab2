import stringWidth from 'string-width'
import type { Message } from '../../message/message.ts'
import type { Language } from '../../message/words/phrases.ts'
import { wordsOf } from '../../message/words/words.ts'
import { wrap } from '../../platform/terminal.ts'
import { oneLine, painted, printable } from '../../platform/text.ts'
import type { PreviewStyle, View } from '../kind.ts'
import type { EmailAccount, EmailSettings, Mailbox } from './config.ts'
import { type EmailPayload, envelopeOf, formatEmail } from './format.ts'

/** The whole mail as a file that mail readers open, and its two parts. Nothing is connected to. */
export async function viewOfMail(
  message: Message,
  channel: EmailSettings,
  account: EmailAccount,
): Promise<View> {
  const [to = ''] = channel.to
  const payload = formatEmail(message, envelopeOf(account, channel, to))
  const { createTransport } = await import('nodemailer')
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const { message: mail } = await composer.sendMail({ ...payload, headers: { ...payload.headers } })
  if (!Buffer.isBuffer(mail)) throw new Error('the mail was not composed')
  return {
    text: (style) => previewEmail(payload, { ...style, language: message.language }),
    payload,
    files: { eml: mail.toString('utf8'), html: payload.html },
  }
}

/** The mail as a reader without HTML would see it, for a terminal `width` columns wide. */
export function previewEmail(
  payload: EmailPayload,
  style: PreviewStyle & { language?: Language | undefined },
): string {
  const { say } = wordsOf(style.language)
  const subject = say('previewSubject')
  const headers = [
    [say('previewFrom'), written(payload.from)],
    [say('previewTo'), payload.to],
    [subject, payload.subject],
  ] as const
  const head = headers.flatMap(([name, value]) => {
    const [first = '', ...more] = wrap(oneLine(value), Math.max(style.width - 9, 8))
    const shown = name === subject ? painted('bold', first, style.colour) : first
    return [
      painted('dim', say('heading', { label: name }).padEnd(9), style.colour) + shown,
      ...more.map((line) => ' '.repeat(9) + line),
    ]
  })
  const body = payload.text
    .trimEnd()
    .split('\n')
    .flatMap((line) => fitted(line, style.width))
  return [...head, painted('dim', '─'.repeat(Math.min(style.width, 74)), style.colour), ...body, ''].join(
    '\n',
  )
}

/** A line of the text part as it is laid out; broken anew only if the terminal is narrower. */
function fitted(line: string, width: number): string[] {
  const clean = printable(line)
  if (stringWidth(clean) <= width) return [clean]
  const indent = /^ */.exec(clean)?.[0] ?? ''
  return wrap(clean.trim(), Math.max(width - indent.length, 16)).map((part) => indent + part)
}

function written({ name, address }: Mailbox): string {
  return name === '' ? address : `${name} <${address}>`
}
