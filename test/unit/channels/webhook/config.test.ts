import { expect, test } from 'vitest'
import { secretsOf, WebhookSettings } from '../../../../src/channels/webhook/config.ts'
import { newSecret, secret } from './opened.ts'

const tools = { name: 'tools', type: 'webhook', to: 'https://hooks.desk.example/alerts', secret }

function problems(over: object): string[] {
  const { error } = WebhookSettings.safeParse({ ...tools, ...over })
  return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []
}

test.each([
  {},
  { secret: [newSecret, secret] },
  { to: 'http://n8n:5678/webhook/alerts', allowPrivate: true },
  { to: 'https://10.0.0.7/alerts', allowPrivate: true },
  { secret: `whsec_${Buffer.from(Array.from({ length: 24 }, (_, at) => at * 9)).toString('base64')}` },
])('%j is taken', (over) => {
  expect(problems(over)).toEqual([])
})

test.each<[object, RegExp]>([
  [{ to: 'ftp://hooks.desk.example' }, /^to: must be a web address/],
  [{ to: 'hooks.desk.example/alerts' }, /^to: must be a web address/],
  [{ to: 'https://desk:pass@hooks.desk.example' }, /^to: has a user name/],
  [{ to: 'http://n8n:5678/webhook' }, /^to: begins with http:.*allowPrivate/],
  [{ secret: undefined }, /^secret: must be whsec_/],
  [{ secret: 'whsec_changeme' }, /openssl rand -base64 32/],
  [{ secret: secret.slice('whsec_'.length) }, /^secret: must be whsec_/],
  [{ secret: `${secret}!` }, /^secret: must be whsec_/],
  [{ secret: 'whsec_c2hvcnQ=' }, /^secret: must be whsec_/],
  [{ secret: `whsec_${Buffer.alloc(32).toString('base64')}` }, /^secret: must be whsec_/],
  [{ secret: `whsec_${Buffer.alloc(80, secret).toString('base64')}` }, /^secret: must be whsec_/],
  [{ secret: [] }, /^secret: must be whsec_/],
  [{ secret: [secret, 'whsec_changeme'] }, /^secret.1: must be whsec_/],
  [{ webhookUrl: 'https://hooks.desk.example' }, /Unrecognized key/],
])('%j is not', (over, message) => {
  expect(problems(over)).toEqual([expect.stringMatching(message)])
  expect(JSON.stringify(problems(over))).not.toContain(secret)
})

test('the address is a secret, and so is what in it may be a token', () => {
  const to = 'https://hooks.desk.example/webhook/9c41aTokenOfTheReceiver?sig=8b20aTokenInTheQuery'
  const parsed = WebhookSettings.parse({ ...tools, to, secret: [newSecret, secret] })
  expect(secretsOf(parsed)).toEqual([
    to,
    '9c41aTokenOfTheReceiver',
    '8b20aTokenInTheQuery',
    newSecret,
    secret,
  ])
})
