import { describe, expect, test, vi } from 'vitest'
import { openEmail } from '../../../../src/channels/email/channel.ts'
import { EmailAccount } from '../../../../src/channels/email/config.ts'
import { accountOf, attempt, desk, spike } from '../../../unit/channels/email/messages.ts'
import { channelTo, start } from '../../../unit/channels/email/setup.ts'

const a = 'a@news.example'
const b = 'b@news.example'

describe('encryption', () => {
  test('a mail never goes in the clear unasked', async () => {
    const smtp = await start({ tls: 'none', users: { desk: 'hunter2' } })
    const account = { smtp: smtp.url('desk', 'hunter2') }
    const channel = await channelTo(accountOf(smtp, account))
    expect(await channel.send(spike, attempt())).toMatchObject({
      result: 'blocked',
      why: expect.stringMatching(/STARTTLS.*smtps:\/\/.*requireTls: false/),
    })
    expect(smtp.messages()).toEqual([])
    const withoutTls = await channelTo(accountOf(smtp, { ...account, requireTls: false }))
    expect(await withoutTls.send(spike, attempt())).toMatchObject({ result: 'sent' })
    expect(smtp.messages()).toMatchObject([{ secure: false, user: 'desk' }])
  })

  test.each(['starttls', 'from-the-start'] as const)(
    'a certificate of an unknown authority blocks (%s)',
    async (tls) => {
      const smtp = await start({ tls })
      const channel = await channelTo(accountOf(smtp, { ca: undefined }))
      expect(await channel.send(spike, attempt())).toMatchObject({
        result: 'blocked',
        why: expect.stringContaining('email.ca'),
      })
      expect(smtp.messages()).toEqual([])
    },
  )

  test('a certificate for another name blocks', async () => {
    const smtp = await start({ certificate: 'elsewhere' })
    const channel = await channelTo(accountOf(smtp))
    expect(await channel.send(spike, attempt())).toMatchObject({
      result: 'blocked',
      why: expect.stringContaining('certificate for another name'),
    })
    expect(smtp.messages()).toEqual([])
  })

  test('TLS from the start against a server that speaks plain text blocks, and says so', async () => {
    const smtp = await start()
    const channel = await channelTo(accountOf(smtp, { smtp: smtp.url().replace('smtp:', 'smtps:') }))
    expect(await channel.send(spike, attempt())).toMatchObject({
      result: 'blocked',
      why: expect.stringContaining('smtp://'),
    })
  })

  test('a relay on this machine is used with TLS if it offers that, with any certificate', async () => {
    const smtp = await start({ certificate: 'elsewhere' })
    const channel = await channelTo(EmailAccount.parse({ smtp: smtp.url(), from: 'alerts@news.example' }))
    expect(await channel.send(spike, attempt())).toMatchObject({ result: 'sent' })
    expect(smtp.messages()).toMatchObject([{ secure: true }])
  })
})

describe('check', () => {
  test('says that all would work, and mails nobody', async () => {
    const smtp = await start({ users: { desk: 'hunter2' } })
    const channel = await channelTo(accountOf(smtp, { smtp: smtp.url('desk', 'hunter2') }))
    const rows = await channel.check()
    expect(rows.map(({ level, what }) => [level, what])).toEqual([
      ['ok', 'server'],
      ['ok', 'TLS'],
      ['ok', 'user'],
      ['ok', 'from'],
    ])
    expect(rows[1]?.text).toBe('Encrypted, and the certificate is verified')
    expect(JSON.stringify(rows)).not.toContain('hunter2')
    expect(smtp.messages()).toEqual([])
  })

  test.each([
    [
      { tls: 'none' },
      {},
      'Not encrypted: the server does not offer it, and on this machine mail needs no encryption',
    ],
    [
      {},
      { ca: undefined },
      'Encrypted, but the certificate is not verified: on this machine mail needs no encryption',
    ],
    [{}, {}, 'Encrypted, and the certificate is verified'],
  ] as const)(
    'says how well a mail is protected that need not be (%j, %j)',
    async (server, account, text) => {
      const smtp = await start(server)
      const channel = await channelTo(accountOf(smtp, { requireTls: false, ...account }))
      expect(await channel.check()).toContainEqual({ level: 'ok', what: 'TLS', text })
    },
  )

  test.each([
    [{ auth: 535 }, 'user', /correct them/],
    [{ greeting: 421 }, 'server', /421/],
  ])('says what to do (%j)', async (trouble, what, text) => {
    const smtp = await start({ users: { desk: 'hunter2' } })
    const channel = await channelTo(accountOf(smtp, { smtp: smtp.url('desk', 'hunter2') }))
    smtp.script(trouble)
    expect(await channel.check()).toEqual([{ level: 'fail', what, text: expect.stringMatching(text) }])
  })
})

describe('opening', () => {
  test('without channels opens nothing, and without an account says what is missing', async () => {
    expect(await openEmail(undefined, [])).toEqual([])
    await expect(openEmail(undefined, [desk(a)])).rejects.toThrow('write email: with smtp and from')
  })

  test.each(['/nowhere/ca.pem', import.meta.filename])('refuses %s as an authority', async (ca) => {
    const smtp = await start()
    await expect(openEmail(accountOf(smtp, { ca }), [desk(a)])).rejects.toThrow(/^email\.ca: /)
  })

  test('channels of one account share connections until the last is closed', async () => {
    const smtp = await start()
    const channels = await openEmail(accountOf(smtp), [desk(a), desk(b)])
    for (const channel of channels)
      expect(await channel.send(spike, attempt())).toMatchObject({ result: 'sent' })
    expect(smtp.connections()).toBe(1)
    await channels[0]?.close()
    expect(await channels[1]?.send(spike, attempt())).toMatchObject({ result: 'sent' })
    await channels[1]?.close()
    await vi.waitFor(() => expect(smtp.standing()).toBe(0))
  })
})
