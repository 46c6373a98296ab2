import { describe, expect, test } from 'vitest'
import { variable } from '../../../src/channels/settings.ts'
import { keepSecrets, maskedRaw, maskedSection, withVariables } from '../../../src/config/raw-secrets.ts'

const before = {
  monitor: { baseUrl: 'https://a.example/v1', apiKey: 'the-key' },
  slack: { token: 'xoxb-1', appToken: 'xapp-1', apiUrl: 'https://slack.example/' },
  email: { smtp: 'smtp://desk:p%40ss@mail.example:587', from: 'a@desk.example' },
  hook: { name: 'hook', type: 'webhook', to: 'https://a.example/in/token', secret: 'whsec_a' },
  incoming: { name: 'desk', type: 'slack', webhookUrl: 'https://hooks.slack.com/services/x' },
  users: [
    { name: 'ana', password: '$scrypt$a', role: 'admin' },
    { name: 'ben', password: '$scrypt$b', role: 'reader' },
  ],
}

describe('a secret that a form left empty', () => {
  const { hook: _, ...incoming } = before
  test.each([
    [
      'of the service',
      { baseUrl: before.monitor.baseUrl, tier: 'pro' },
      before.monitor,
      { apiKey: 'the-key' },
    ],
    [
      'of Slack',
      { apiUrl: before.slack.apiUrl, intervalMs: 5 },
      before.slack,
      { token: 'xoxb-1', appToken: 'xapp-1' },
    ],
    ['of the mail server', { from: 'b@desk.example' }, before.email, { smtp: before.email.smtp }],
    [
      'in its address',
      { smtp: 'smtp://desk@mail.example:587', from: 'x' },
      before.email,
      { smtp: before.email.smtp },
    ],
    [
      'of a webhook',
      { name: 'hook', type: 'webhook' },
      before.hook,
      { to: before.hook.to, secret: 'whsec_a' },
    ],
    [
      'of an incoming webhook',
      { type: 'slack', name: 'desk', minDelta: 5 },
      incoming.incoming,
      before.incoming,
    ],
  ])('%s stays as it was', (_name, becomes, was, kept) => {
    const { value, problems } = keepSecrets(becomes, was)
    expect(problems).toEqual([])
    expect(value).toMatchObject(kept)
  })

  test.each([
    ['of the service', { baseUrl: 'https://b.example/v1' }, before.monitor, [['apiKey']]],
    ['of Slack', { apiUrl: 'https://b.example/' }, before.slack, [['token'], ['appToken']]],
    [
      'of the mail server',
      { smtp: 'smtp://desk@b.example:587', from: 'x' },
      before.email,
      [['smtp', 'password']],
    ],
    ['of a webhook', { type: 'webhook', to: 'https://b.example/in' }, before.hook, [['secret']]],
    [
      'behind another token address',
      { baseUrl: 'https://a.example', oauth: { tokenUrl: 'https://b.example', clientId: 'x' } },
      {
        baseUrl: 'https://a.example',
        oauth: { tokenUrl: 'https://a.example', clientId: 'x', clientSecret: 's' },
      },
      [['oauth', 'clientSecret']],
    ],
  ])('%s is asked for again if the address has changed', (_name, becomes, was, paths) => {
    const { value, problems } = keepSecrets(becomes, was)
    expect(problems.map(({ path }) => path)).toEqual(paths)
    expect(JSON.stringify(value)).not.toMatch(/the-key|xoxb|xapp|p%40ss|whsec_a|"s"/)
  })

  test('the one that was entered anew counts, and null removes one', () => {
    const moved = { baseUrl: 'https://b.example/v1', apiKey: 'another' }
    expect(keepSecrets(moved, before.monitor)).toEqual({ value: moved, problems: [] })
    const { apiUrl } = before.slack
    expect(keepSecrets({ apiUrl, appToken: null }, before.slack).value).toEqual({ apiUrl, token: 'xoxb-1' })
  })

  test('the other way to the same place takes no secret along', () => {
    const oauth = { tokenUrl: 'https://a.example', clientId: 'x', clientSecret: 's' }
    const { baseUrl } = before.monitor
    expect(keepSecrets({ baseUrl, oauth }, before.monitor).value).toEqual({ baseUrl, oauth })
    const bot = { name: 'desk', type: 'slack', to: '#desk' }
    expect(keepSecrets(bot, before.incoming).value).toEqual(bot)
  })

  test('a password stays with its name in any order', () => {
    const { value } = keepSecrets([{ name: 'ben', role: 'editor' }, { name: 'ana' }], before.users)
    expect(value).toEqual([
      { name: 'ben', role: 'editor', password: '$scrypt$b' },
      { name: 'ana', password: '$scrypt$a' },
    ])
  })
})

test('no secret is to be read in what is masked; it says which were replaced', () => {
  const text = JSON.stringify(maskedRaw(before))
  expect(text).not.toMatch(/the-key|xoxb|xapp|p%40ss|whsec|services|in\/token|\$scrypt/)
  expect(text).toContain('"baseUrl":"https://a.example/v1"')
  const users = [
    { name: 'ben', password: '$scrypt$b', role: 'reader' },
    { name: 'ana', password: 'new' },
  ]
  expect(maskedRaw(users, before.users)).toEqual([
    { name: 'ben', password: '•••', role: 'reader' },
    { name: 'ana', password: '••• (replaced)' },
  ])
})

test('a section that is a secret itself is hidden whole', () => {
  const secrets = ['whsec_3f9d1c7ab2e84d5f9a6c0b1e2d3f4a5b']
  expect(maskedSection('secrets', secrets)).toBe('•••')
  expect(maskedSection('secrets', [], secrets)).toBe('••• (replaced)')
  expect(maskedSection('retention', '90d')).toBe('90d')
})

test('a mail server with its default port is the same server', () => {
  const smtp = 'smtps://desk:secret@mail.example'
  expect(keepSecrets({ smtp: 'smtps://desk@mail.example:465', from: 'x' }, { smtp, from: 'x' })).toEqual({
    value: { smtp: 'smtps://desk:secret@mail.example:465', from: 'x' },
    problems: [],
  })
})

test('each secret has a variable of its own, and only what is one already stays', () => {
  const variables = new Set<string>()
  const users = ['李', '王'].map((name) => ({ name, password: `$scrypt$${name}` }))
  const email = { smtp: `smtp://me:hunter2@${variable('HOST')}` }
  const shown = withVariables({ console: { users }, email }, '', variables)
  expect(JSON.stringify(shown)).not.toMatch(/scrypt|hunter2/)
  expect(variables.size).toBe(3)
  const written = {
    email: { smtp: `smtp://me:${variable('PASSWORD')}@mail.example` },
    slack: { token: variable('TOKEN') },
  }
  expect(withVariables(written, '', variables)).toEqual(written)
})
