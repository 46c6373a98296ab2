import { describe, expect, test } from 'vitest'
import { compose } from '../../../../src/commands/init/compose.ts'
import { parseConfig } from '../../../../src/config/load.ts'

const byWebhook = { channel: 'slack-webhook', slackWebhook: 'https://hooks.slack.com/services/T/B/secret' }

function configOf(answers: Parameters<typeof compose>[0]) {
  const { yaml, variables } = compose(answers)
  return parseConfig(yaml, 'written.yaml', variables)
}

test('the configuration names secrets, and says what each part is for', () => {
  const { yaml, variables } = compose({
    ...byWebhook,
    name: 'night-desk',
    timeZone: 'Europe/Berlin',
    service: 'https://monitor.example/v1',
    serviceKey: 'key-of-the-desk',
    tier: 'pro',
    port: '8081',
    publicUrl: 'https://alerts.desk.example',
  })
  expect(variables).toEqual({
    MONITOR_API_KEY: 'key-of-the-desk',
    SLACK_WEBHOOK_URL: 'https://hooks.slack.com/services/T/B/secret',
  })
  expect(
    yaml,
  ).toBe(`# Written by bluepencil init. All keys are in bluepencil.schema.json of the package, an example in bluepencil.example.yaml.
# The secrets are in .env: \${NAME} is a variable from there or from the environment.

# The monitoring service. A quarter of the plan’s requests is kept for people’s questions.
monitor:
  baseUrl: https://monitor.example/v1
  apiKey: \${MONITOR_API_KEY}
  tier: pro

# Under this address the service reaches serve. Bluepencil makes its own subscription and keeps it.
webhook:
  publicUrl: https://alerts.desk.example

server:
  port: 8081

# Who is notified of trouble: a channel that accepts nothing, a lost subscription, a full disk.
operators:
  - night-desk

# Each channel gets every alert, or what its filters let through:
#   models: [claude, gemini]
#   categories: [political]
#   events: [policy_change, censorship_spike]
#   minDelta: 5          # percentage points, rises and falls alike
#   direction: rise      # rise | fall | both
channels:
  - name: night-desk
    type: slack
    webhookUrl: \${SLACK_WEBHOOK_URL}
    timeZone: Europe/Berlin
`)
})

test('without the service it says where that belongs, and what it says there can be used', () => {
  const { yaml, variables } = compose({ ...byWebhook, service: '' })
  expect(yaml).toContain('# Nothing is reported until the monitoring service is named')
  const [, lines = ''] = yaml.split('to .env.\n')
  const named = `${yaml}\n${lines.replaceAll('# ', '')}`
  const config = parseConfig(named, 'b.yaml', { ...variables, MONITOR_API_KEY: 'key-of-the-desk' })
  expect(config.monitor?.baseUrl).toBe('https://monitor.example/v1')
  expect(config.webhook.publicUrl).toBe('https://alerts.desk.example')
})

describe('a mail server', () => {
  const mail = { channel: 'email', mailFrom: 'desk@desk.example', mailTo: 'a@desk.example,b@desk.example' }

  test.each([
    ['mail.desk.example', { host: 'mail.desk.example', port: 587, secure: false }],
    ['mail.desk.example:465', { host: 'mail.desk.example', port: 465, secure: true }],
    ['mail.desk.example:2525', { host: 'mail.desk.example', port: 2525, secure: false }],
  ])('%s', (smtpServer, expected) => {
    const { email, channels } = configOf({ ...mail, smtpServer, smtpUser: '' })
    expect(email?.smtp).toEqual(expected)
    expect(channels[0]).toMatchObject({ to: ['a@desk.example', 'b@desk.example'] })
  })

  test('user and password arrive as they were typed', () => {
    const auth = { user: 'desk@desk.example', pass: `a:b/c@d'e"f%20\${HOME} (*)` }
    const smtpServer = 'mail.desk.example'
    const { email } = configOf({ ...mail, smtpServer, smtpUser: auth.user, smtpPassword: auth.pass })
    expect(email?.smtp.auth).toEqual(auth)
  })
})

test('what was typed is not taken for a variable', () => {
  const { email } = configOf({
    channel: 'email',
    smtpServer: 'mail.desk.example',
    mailFrom: `"\${HOME} desk" <desk@desk.example>`,
    mailTo: 'desk@desk.example',
  })
  expect(email?.from.name).toBe(`\${HOME} desk`)
})
