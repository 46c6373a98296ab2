import { isLoopback } from '../../platform/outbound/address.ts'
import { counted } from '../../platform/text.ts'
import type { CheckRow } from '../channel.ts'
import type { EmailAccount } from './config.ts'
import { type SmtpFailure, sentence, verdict, where } from './verdict.ts'

/** Enters the mail server as a mail would, and mails nobody. */
export async function findings(
  account: EmailAccount,
  to: readonly string[],
  verify: (tls: { requireTLS?: boolean }) => Promise<SmtpFailure | undefined>,
): Promise<CheckRow[]> {
  const failure = await verify({})
  if (failure !== undefined) {
    const { about, why } = verdict(failure, account)
    return [{ level: 'fail', what: about, text: sentence(why) }]
  }
  const { address, name } = account.from
  return [
    { level: 'ok', what: 'server', text: sentence(`${where(account.smtp)} answers`) },
    await protection(account, verify),
    { level: 'ok', what: 'user', text: entrance(account) },
    {
      level: 'ok',
      what: 'from',
      text: `Mail goes out as ${name === '' ? address : `${name} <${address}>`} to ${counted(to.length, 'address', 'addresses')}. Only a mail shows whether the server accepts the addresses: bluepencil test-alert CHANNEL`,
    },
  ]
}

async function protection(
  account: EmailAccount,
  verify: (tls: { requireTLS?: boolean }) => Promise<SmtpFailure | undefined>,
): Promise<CheckRow> {
  const what = 'TLS'
  const verified: CheckRow = { level: 'ok', what, text: 'Encrypted, and the certificate is verified' }
  if (account.smtp.secure || account.requireTls) return verified
  // What does not leave this machine needs no encryption.
  const isHere = isLoopback(account.smtp.host)
  const level = isHere ? 'ok' : 'warn'
  const why = isHere ? 'on this machine mail needs no encryption' : 'email.requireTls is off'
  if ((await verify({ requireTLS: true })) !== undefined) {
    return { level, what, text: `Not encrypted: the server does not offer it, and ${why}` }
  }
  if (account.ca !== undefined) return verified
  return { level, what, text: `Encrypted, but the certificate is not verified: ${why}` }
}

function entrance({ smtp }: EmailAccount): string {
  return smtp.auth === undefined
    ? 'The server asks for no password'
    : `The server accepts the password of ${smtp.auth.user}`
}
