import { counted } from '../../text/counted.ts'
import type { CheckResult } from '../channel.ts'
import type { EmailAccount } from './config.ts'
import { type SmtpFailure, sentence, verdict, where } from './verdict.ts'

/** Enters the mail server as a mail would, and mails nobody. */
export async function findings(
  account: EmailAccount,
  to: readonly string[],
  verify: (tls: { requireTLS?: boolean }) => Promise<SmtpFailure | undefined>,
): Promise<CheckResult[]> {
  const failure = await verify({})
  if (failure !== undefined) {
    const { about, why } = verdict(failure, account)
    return [{ ok: false, what: about, detail: sentence(why) }]
  }
  const { address, name } = account.from
  return [
    { ok: true, what: 'server', detail: sentence(`${where(account.smtp)} answers`) },
    { ok: true, what: 'TLS', detail: await protection(account, verify) },
    { ok: true, what: 'user', detail: entrance(account) },
    {
      ok: true,
      what: 'from',
      detail: `Mail goes out as ${name === '' ? address : `${name} <${address}>`} to ${counted(to.length, 'address', 'addresses')}; whether the server accepts them shows only with a mail: bluepencil test-alert CHANNEL`,
    },
  ]
}

async function protection(
  account: EmailAccount,
  verify: (tls: { requireTLS?: boolean }) => Promise<SmtpFailure | undefined>,
): Promise<string> {
  if (account.smtp.secure || account.requireTls) return 'Encrypted, and the certificate is verified'
  if ((await verify({ requireTLS: true })) !== undefined) {
    return 'Not encrypted: the server does not offer it, and email.requireTls is off'
  }
  return account.ca === undefined
    ? 'Encrypted, but the certificate is not verified: email.requireTls is off'
    : 'Encrypted, and the certificate is verified'
}

function entrance({ smtp }: EmailAccount): string {
  return smtp.auth === undefined
    ? 'The server lets us in without a user and a password'
    : `The server accepts the password of ${smtp.auth.user}`
}
