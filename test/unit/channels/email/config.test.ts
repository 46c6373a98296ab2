import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { EmailAccount, EmailSettings } from '../../../../src/channels/email/config.ts'

const from = 'Desk <desk@news.example>'

function messages(result: z.ZodSafeParseResult<unknown>): string[] {
  return result.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []
}

describe('the mail server', () => {
  test('is read from its address, user and password percent-decoded', () => {
    const account = EmailAccount.parse({
      smtp: 'smtp://desk%40news.example:p%2Fa%3As@mail.example:2525',
      from,
    })
    expect(account.smtp).toEqual({
      secure: false,
      host: 'mail.example',
      port: 2525,
      auth: { user: 'desk@news.example', pass: 'p/a:s' },
    })
  })

  test.each([
    ['smtp://mail.example', { secure: false, host: 'mail.example', port: 587 }],
    ['smtps://mail.example', { secure: true, host: 'mail.example', port: 465 }],
    ['smtp://[::1]:25\n', { secure: false, host: '::1', port: 25 }],
  ])('%s has its usual port', (smtp, server) => {
    expect(EmailAccount.parse({ smtp, from }).smtp).toEqual(server)
  })

  test.each([
    ['smtp://mail.example', true],
    ['smtp://localhost:25', false],
    ['smtp://127.0.0.1:25', false],
    ['smtp://[::1]:25', false],
    ['smtp://127.0.0.1.evil.example', true],
  ])('%s requires TLS unless said: %s', (smtp, requireTls) => {
    expect(EmailAccount.parse({ smtp, from }).requireTls).toBe(requireTls)
    expect(EmailAccount.parse({ smtp, from, requireTls: !requireTls }).requireTls).toBe(!requireTls)
  })

  test.each([
    'mail.example:587',
    'https://user:hunter2@mail.example',
    'smtp://user:hunter2@',
    'smtp://user:hunter2@mail.example:99999',
    'smtp://user:hunter2@mail.example?ca=x.pem',
    'smtp://user:hunter2@mail.example/path',
    'smtp://user:hunter2%@mail.example',
    'smtp://user:hunter2%0d%0aQUIT@mail.example',
    'smtp://user:hunt/er2@mail.example',
    'smtp://user:hunter2@ma il.example',
    'smtp://user:hunter2@ma%20il.example',
    'smtp://user@mail.example',
    'smtp://:hunter2@mail.example',
  ])('%s is refused, and the password is not repeated', (smtp) => {
    const errors = messages(EmailAccount.safeParse({ smtp, from }))
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatch(/^smtp: (is not|has) /)
    expect(errors[0]).not.toContain('hunt')
  })
})

describe('addresses', () => {
  test.each([
    ['desk@News.Example', { name: '', address: 'desk@news.example' }],
    ['Desk <desk@news.example>', { name: 'Desk', address: 'desk@news.example' }],
    ['"Desk, AI" <desk@news.example>', { name: 'Desk, AI', address: 'desk@news.example' }],
    ['Büro <desk@news.example>', { name: 'Büro', address: 'desk@news.example' }],
  ])('%s can send', (written, mailbox) => {
    const account = EmailAccount.parse({ smtp: 'smtp://mail.example', from: written, replyTo: written })
    expect(account.from).toEqual(mailbox)
    expect(account.replyTo).toEqual(mailbox)
  })

  test.each([
    '',
    'desk',
    'Desk desk@news.example',
    'a@b.example, c@d.example',
    'Desk\r\nBcc: x <a@b.example>',
    '<a@b.example',
  ])('%j cannot send', (written) => {
    expect(messages(EmailAccount.safeParse({ smtp: 'smtp://mail.example', from: written }))).toEqual([
      'from: is not an address; write desk@example.org or "Desk <desk@example.org>"',
    ])
  })

  const channel = { name: 'ai-desk', type: 'email' }

  test('readers are one address or a list, each once, domains in lower case', () => {
    expect(EmailSettings.parse({ ...channel, to: 'A@News.Example' }).to).toEqual(['A@news.example'])
    expect(
      EmailSettings.parse({ ...channel, to: ['a@news.example', 'a@NEWS.example', 'b@news.example'] }).to,
    ).toEqual(['a@news.example', 'b@news.example'])
  })

  test.each([
    [undefined],
    [[]],
    ['nobody'],
    ['a@b.example\r\nRCPT TO:<x@y.example>'],
    [Array.from({ length: 51 }, (_, at) => `a${at}@b.example`)],
    [['a@b.example', 'Desk <c@d.example>']],
  ])('%j are no readers', (to) => {
    expect(messages(EmailSettings.safeParse({ ...channel, to }))[0]).toMatch(/^to/)
  })

  test('a wrong address is said in words', () => {
    expect(messages(EmailSettings.safeParse({ ...channel, to: 'nobody' }))).toEqual([
      'to: is not an e-mail address; write one such as desk@example.org',
    ])
  })
})

test('both have a JSON schema of what is written', () => {
  expect(z.toJSONSchema(EmailAccount, { io: 'input' })).toMatchObject({
    properties: { smtp: { type: 'string' }, from: { type: 'string' }, requireTls: { type: 'boolean' } },
    required: ['smtp', 'from'],
    additionalProperties: false,
  })
  expect(z.toJSONSchema(EmailSettings, { io: 'input' })).toMatchObject({
    properties: { to: {} },
    additionalProperties: false,
  })
})
