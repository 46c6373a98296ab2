import { createTransport } from 'nodemailer'
import type { Message } from '../../message/message.ts'
import type { View } from '../view.ts'
import type { EmailAccount, EmailSettings } from './config.ts'
import { envelopeOf, formatEmail } from './format.ts'
import { previewEmail } from './preview.ts'

/** The whole mail as a file that mail readers open, and its two parts. Nothing is connected to. */
export async function viewOfMail(
  message: Message,
  channel: EmailSettings,
  account: EmailAccount,
): Promise<View> {
  const [to = ''] = channel.to
  const payload = formatEmail(message, envelopeOf(account, channel, to))
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const { message: mail } = await composer.sendMail({ ...payload, headers: { ...payload.headers } })
  if (!Buffer.isBuffer(mail)) throw new Error('the mail was not composed')
  return {
    text: (style) => previewEmail(payload, { ...style, language: message.language }),
    payload,
    files: { eml: mail.toString('utf8'), html: payload.html },
  }
}
