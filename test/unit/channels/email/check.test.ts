import { expect, test } from 'vitest'
import { findings } from '../../../../src/channels/email/check.ts'
import { EmailAccount } from '../../../../src/channels/email/config.ts'

/** What check says about TLS, if the server offers it and if it doesn't. */
async function tls(smtp: string, { offered }: { offered: boolean }) {
  const account = EmailAccount.parse({ smtp, from: 'a@news.example', requireTls: false })
  const failure = { code: 'ETLS', message: 'no STARTTLS', rejectedErrors: [] }
  const rows = await findings(account, ['b@news.example'], async ({ requireTLS }) =>
    requireTLS === true && !offered ? failure : undefined,
  )
  return rows.find(({ what }) => what === 'TLS')
}

test('a way to another machine that is not encrypted, or to anybody, is a warning', async () => {
  expect(await tls('smtp://mail.example', { offered: false })).toEqual({
    level: 'warn',
    what: 'TLS',
    text: 'Not encrypted: the server does not offer it, and email.requireTls is off',
  })
  expect(await tls('smtp://mail.example', { offered: true })).toEqual({
    level: 'warn',
    what: 'TLS',
    text: 'Encrypted, but the certificate is not verified: email.requireTls is off',
  })
  expect(await tls('smtp://127.0.0.1', { offered: false })).toMatchObject({ level: 'ok' })
})
