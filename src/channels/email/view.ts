import { createTransport } from 'nodemailer'
import type { Message } from '../message.ts'
import type { View } from '../view.ts'
import type { EmailAccount, EmailSettings } from './config.ts'
import { formatEmail } from './format.ts'
import { previewEmail } from './preview.ts'

/** The whole mail as a file that mail readers open, and its two parts. Nothing is connected to. */
export async function viewOfMail(
  message: Message,
  { name, to: [to = ''] }: EmailSettings,
  { from, replyTo }: EmailAccount,
): Promise<View> {
  const payload = formatEmail(message, {
    from,
    ...(replyTo === undefined ? {} : { replyTo }),
    to,
    channel: name,
    domain: from.address.slice(from.address.lastIndexOf('@') + 1),
  })
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const { message: mail } = await composer.sendMail({ ...payload, headers: { ...payload.headers } })
  if (!Buffer.isBuffer(mail)) throw new Error('the mail was not composed')
  return {
    text: (style) => previewEmail(payload, { ...style, language: message.language }),
    payload,
    files: { eml: mail.toString('utf8'), html: payload.html },
  }
}
