import PostalMime from 'postal-mime'
import { describe, expect, test, vi } from 'vitest'
import { usualLimits } from '../../../../src/channels/email/post.ts'
import type { Trouble } from '../../../support/fakes/smtp.ts'
import { startFakeSmtp } from '../../../support/fakes/smtp.ts'
import { accountOf, attempt, spike } from '../../../unit/channels/email/messages.ts'
import { channelTo, start } from '../../../unit/channels/email/setup.ts'

const a = 'a@news.example'

describe('a mail on the wire', () => {
  test('is exactly this', async () => {
    const smtp = await start()
    const channel = await channelTo(accountOf(smtp, { replyTo: 'Desk lead <lead@news.example>' }), [a])
    expect(await channel.send(spike, attempt())).toMatchObject({ result: 'sent' })
    const [mail] = smtp.messages()
    const boundary = /boundary="(?<boundary>[^"]+)-Part_1"/.exec(mail?.raw ?? '')?.groups?.boundary ?? 'none'
    const fixed = (mail?.raw ?? '')
      .replaceAll(boundary, '--boundary')
      .replace(/^Date: .*$/m, 'Date: Mon, 05 Jan 2026 09:00:05 +0000')
      .replaceAll('\r\n', '\n')
    await expect(fixed).toMatchFileSnapshot('alert.eml')
  })

  test('goes encrypted, from a user who logged in', async () => {
    const smtp = await start({ users: { desk: 'p@ss/wörd' } })
    const channel = await channelTo(accountOf(smtp, { smtp: smtp.url('desk', 'p@ss/wörd') }))
    const sent = await channel.send(spike, attempt())
    const [mail] = smtp.messages()
    expect(mail).toMatchObject({ from: 'alerts@news.example', to: [a], user: 'desk', secure: true })
    const { messageId = '' } = await PostalMime.parse(mail?.raw ?? '')
    const root = /^<(bluepencil\.[0-9a-f]{32})\.[0-9a-f]{16}@news\.example>$/.exec(messageId)?.[1]
    expect(sent).toEqual({ result: 'sent', receipt: { id: root, text: `${root} to 1 of 1` } })
  })

  test('goes over TLS from the start too', async () => {
    const smtp = await start({ tls: 'from-the-start' })
    const channel = await channelTo(accountOf(smtp))
    expect(await channel.send(spike, attempt())).toMatchObject({ result: 'sent' })
    expect(smtp.messages()).toMatchObject([{ secure: true }])
  })

  test('shares a connection with the mails before it', async () => {
    const smtp = await start()
    const channel = await channelTo(accountOf(smtp))
    for (const id of ['evt_1', 'evt_2', 'evt_3']) await channel.send({ ...spike, id }, attempt())
    expect(smtp.messages()).toHaveLength(3)
    expect(smtp.connections()).toBe(1)
  })
})

describe('what the server does wrong', () => {
  const later = { result: 'retry', uncertain: false }
  const cases: [string, Trouble, object][] = [
    ['421 at the greeting', { greeting: 421 }, later],
    ['554 at the greeting', { greeting: 554 }, later],
    ['421 at the sender', { mailFrom: 421 }, later],
    ['451 at the sender', { mailFrom: 451 }, later],
    ['452 at the sender', { mailFrom: 452 }, later],
    ['552 at the sender: too large', { mailFrom: 552 }, { result: 'permanent' }],
    [
      '553 at the sender',
      { mailFrom: 553 },
      { result: 'blocked', why: expect.stringContaining('email.from') },
    ],
    [
      '530 at the sender',
      { mailFrom: 530 },
      { result: 'blocked', why: expect.stringContaining('email.smtp') },
    ],
    ['450 for the reader', { rcpt: { [a]: 450 } }, later],
    ['421 for the reader', { rcpt: { [a]: 421 } }, later],
    ['550 for the reader', { rcpt: { [a]: 550 } }, { result: 'permanent', why: expect.stringContaining(a) }],
    ['421 for the mail', { data: 421 }, later],
    ['451 for the mail', { data: 451 }, later],
    ['552 for the mail', { data: 552 }, { result: 'permanent' }],
    ['554 for the mail', { data: 554 }, { result: 'permanent' }],
    ['no answer to the mail', { data: 'hang' }, { result: 'retry', uncertain: true }],
    ['a cut before the answer to the mail', { data: 'cut' }, { result: 'retry', uncertain: true }],
    ['no greeting', { greeting: 'never' }, later],
  ]

  test('is answered as it deserves, and the next mail goes through', async () => {
    // All at once: most of a connection's time is the pause that its server makes before the greeting.
    const rows = cases.map(async ([name, trouble]) => {
      const smtp = await start()
      const channel = await channelTo(accountOf(smtp), [a], { greeting: 2_500, silence: 2_500 })
      smtp.script({ ...trouble, says: 'scripted' })
      const answer = await channel.send(spike, attempt())
      smtp.script({})
      const next = await channel.send({ ...spike, id: 'evt_next' }, attempt())
      const isNamed = 'why' in answer && /[Tt]he mail server 127\.0\.0\.1:\d+ /.test(answer.why)
      return { name, answer, isNamed, next }
    })
    expect(await Promise.all(rows)).toMatchObject(
      cases.map(([name, , answer]) => ({ name, answer, isNamed: true, next: { result: 'sent' } })),
    )
  })

  test.each([
    [535, 'blocked'],
    [534, 'blocked'],
    [454, 'retry'],
  ])('%i at the login: %s, without the password', async (code, result) => {
    const smtp = await start({ users: { desk: 'hunter2' } })
    const channel = await channelTo(accountOf(smtp, { smtp: smtp.url('desk', 'hunter2') }))
    smtp.script({ auth: code, says: 'bad password hunter2' })
    const answer = await channel.send(spike, attempt())
    expect(answer).toMatchObject({ result })
    expect(JSON.stringify(answer)).not.toContain('hunter2')
    smtp.script({})
    expect(await channel.send(spike, attempt())).toMatchObject({ result: 'sent' })
  })

  test('a server that wants a login and gets none blocks, and says where to write it', async () => {
    const smtp = await start({ users: { desk: 'hunter2' } })
    const channel = await channelTo(accountOf(smtp))
    expect(await channel.send(spike, attempt())).toMatchObject({
      result: 'blocked',
      why: expect.stringContaining('add them to email.smtp'),
    })
  })

  test('a password is never left out where the server does not ask for it', async () => {
    const smtp = await start()
    const channel = await channelTo(accountOf(smtp, { smtp: smtp.url('desk', 'hunter2') }))
    expect(await channel.send(spike, attempt())).toMatchObject({ result: 'blocked' })
    expect(smtp.messages()).toEqual([])
  })

  test('a server that is not there is tried again later', async () => {
    const smtp = await startFakeSmtp()
    const account = accountOf(smtp)
    await smtp.close()
    const channel = await channelTo(account)
    expect(await channel.send(spike, attempt())).toEqual({
      result: 'retry',
      uncertain: false,
      why: `The mail server 127.0.0.1:${smtp.port} cannot be reached, or the connection broke: connect ECONNREFUSED 127.0.0.1:${smtp.port}`,
    })
  })

  test('a connection that the server closed in between costs no try', async () => {
    const smtp = await start()
    const channel = await channelTo(accountOf(smtp))
    await channel.send(spike, attempt())
    smtp.drop()
    expect(await channel.send({ ...spike, id: 'evt_next' }, attempt())).toMatchObject({ result: 'sent' })
    expect(smtp.messages()).toHaveLength(2)
  })

  test.each(Object.entries({ before: 15, data: 3, answer: 10 }))(
    'the limit of what is %s is %i minutes, and a try may take as long as all of them',
    async (part, minutes) => {
      expect(usualLimits).toHaveProperty(part, minutes * 60_000)
      const channel = await channelTo(accountOf(await start()))
      expect(channel.tryMs).toBeGreaterThan(28 * 60_000)
    },
  )

  test('a server that never answers the final dot is left after the time for that', async () => {
    const smtp = await start()
    const channel = await channelTo(accountOf(smtp), [a], { answer: 1_500 })
    smtp.script({ data: 'hang' })
    expect(await channel.send(spike, attempt())).toMatchObject({
      result: 'retry',
      uncertain: true,
      why: expect.stringContaining('did not confirm the mail within 1.5 seconds'),
    })
    smtp.script({})
    expect(await channel.send(spike, attempt())).toMatchObject({ result: 'sent' })
  })
})

describe('a stop', () => {
  test('ends a try that hangs, which may have reached the reader', async () => {
    const smtp = await start()
    const channel = await channelTo(accountOf(smtp))
    smtp.script({ data: 'hang' })
    const stop = new AbortController()
    const result = channel.send(spike, attempt({ signal: stop.signal }))
    await vi.waitFor(() => expect(smtp.bodies()).toBe(1))
    stop.abort()
    expect(await result).toMatchObject({ result: 'retry', uncertain: true, unanswered: true })
  })

  test('ends a try that has not come to the body, which has surely reached nobody', async () => {
    const smtp = await start()
    const channel = await channelTo(accountOf(smtp))
    smtp.script({ greeting: 'never' })
    const stop = new AbortController()
    const result = channel.send(spike, attempt({ signal: stop.signal }))
    await vi.waitFor(() => expect(smtp.connections()).toBe(1))
    stop.abort()
    expect(await result).toMatchObject({ result: 'retry', uncertain: false })
  })

  test('before a try leaves the server alone', async () => {
    const smtp = await start()
    const channel = await channelTo(accountOf(smtp))
    expect(await channel.send(spike, attempt({ signal: AbortSignal.abort() }))).toMatchObject({
      result: 'retry',
    })
    expect(smtp.connections()).toBe(0)
  })
})
