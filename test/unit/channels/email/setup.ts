import { onTestFinished } from 'vitest'
import type { Channel } from '../../../../src/channels/channel.ts'
import { openEmail } from '../../../../src/channels/email/channel.ts'
import type { EmailAccount, MailReaders } from '../../../../src/channels/email/config.ts'
import { type SmtpTimeouts, usualLimits } from '../../../../src/channels/email/post.ts'
import { type FakeSmtp, type FakeSmtpOptions, startFakeSmtp } from '../../../support/fakes/smtp.ts'
import { desk } from './messages.ts'

/** A server that ends with the test. */
export async function start(options?: FakeSmtpOptions): Promise<FakeSmtp> {
  const smtp = await startFakeSmtp(options)
  onTestFinished(smtp.close)
  return smtp
}

/** A channel that closes with the test, before its server does. */
export async function channelTo(
  account: EmailAccount,
  to: string[] = ['a@news.example'],
  {
    readers,
    unsubscribeAt,
    ...limits
  }: Partial<SmtpTimeouts> & { readers?: MailReaders; unsubscribeAt?: string } = {},
): Promise<Channel> {
  const [channel] = await openEmail(account, [desk(...to)], {
    readers,
    unsubscribeAt,
    limits: { ...usualLimits, ...limits },
  })
  if (channel === undefined) throw new Error('no channel')
  onTestFinished(channel.close)
  return channel
}
