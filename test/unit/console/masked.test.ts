import { expect, test } from 'vitest'
import { Config } from '../../../src/config/schema.ts'
import { maskedConfiguration } from '../../../src/console/masked.ts'

const secrets = {
  apiKey: 'mk_the_key_of_the_test',
  signing: 'whsec_3f9d1c7ab2e84d5f9a6c0b1e2d3f4a5b',
  slack: 'xoxb-1-the-token',
  slackSigning: 'the-signing-secret-of-slack',
  appToken: 'xapp-1-the-app-token',
  discord: 'the.discord.token',
  mail: 'p4ss',
  hook: 'https://hooks.slack.com/services/T0/B0/the_hook',
  ping: 'https://hc-ping.com/the-uuid',
  webhook: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD3AsVfgQnZ5o=',
  target: 'https://n8n.desk.example/webhook/the-path',
  hash: `$scrypt$ln=15,r=8,p=3$${'B'.repeat(22)}$${'C'.repeat(43)}`,
}

const config = Config.parse({
  monitor: { baseUrl: 'https://monitor.example/v1', apiKey: secrets.apiKey },
  webhook: { secrets: [secrets.signing] },
  slack: { token: secrets.slack, signingSecret: secrets.slackSigning, appToken: secrets.appToken },
  discord: { token: secrets.discord },
  email: { smtp: `smtp://desk:${secrets.mail}@mail.example:587`, from: 'desk@desk.example' },
  heartbeat: { url: secrets.ping },
  console: { users: [{ name: 'ana', password: secrets.hash, role: 'admin' }] },
  channels: [
    { name: 'hook', type: 'slack', webhookUrl: secrets.hook },
    { name: 'mail', type: 'email', to: 'reader@desk.example', digest: { every: 'day' } },
    { name: 'tools', type: 'webhook', to: secrets.target, secret: secrets.webhook },
  ],
})

test('no secret of any part of the configuration is shown', () => {
  const shown = maskedConfiguration(config)
  const seen = Object.entries(secrets).filter(([, secret]) => shown.includes(secret))
  expect(seen).toEqual([])
  expect(shown).not.toContain('the-path')
})

test('what is no secret is shown as it is written in the file', () => {
  const shown = maskedConfiguration(config)
  expect(shown).toContain('retention: 90d')
  expect(shown).toContain('baseUrl: https://monitor.example/v1')
  expect(shown).toContain('name: ana')
  expect(shown).toMatch(/digest:\n {6}every: day/)
  expect(shown).toContain('apiKey: (secret)')
})
