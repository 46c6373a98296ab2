import { expect, test } from 'vitest'
import { doubts, isReservedName } from '../../../../src/commands/check/doubts.ts'
import { Config } from '../../../../src/config/schema.ts'
import { checked, sandboxed } from './checked.ts'

const monitor = { baseUrl: 'https://monitor.newsroom.org/v1', apiKey: 'key-of-the-desk' }
const slack = { token: 'xoxb-1-2-abc' }
const desk = { name: 'desk', type: 'slack', to: '#desk' }
const politics = { name: 'politics', type: 'slack', to: '#politics' }
const ops = { name: 'ops', type: 'console' }
const mail = { name: 'mail', type: 'email', to: 'desk@newsroom.org' }
const email = { smtp: 'smtp://me:pw@mail.newsroom.org', from: 'desk@newsroom.org' }

/** Of a configuration that is in no doubt but for these changes. */
function doubted(changes: object): string[] {
  const sound = { monitor, slack, channels: [desk, ops], operators: ['desk', 'ops'] }
  const rows = doubts(Config.parse({ ...sound, ...changes }))
  expect(rows.every(({ level, hint }) => level === 'warn' && hint !== undefined)).toBe(true)
  return rows.map(({ what, text }) => `${what}: ${text}`)
}

test('a configuration that is whole is in no doubt', () => {
  const publicUrl = 'https://alerts.newsroom.org'
  expect(doubted({ webhook: { publicUrl }, email, channels: [desk, ops, mail] })).toEqual([])
})

test('a console behind a proxy that nothing names limits failed sign-ins by name alone', () => {
  const users = [{ name: 'ana', password: `$scrypt$ln=15,r=8,p=3$${'A'.repeat(22)}$${'A'.repeat(43)}` }]
  const publicUrl = 'https://desk.newsroom.org/console'
  expect(doubted({ console: { publicUrl, users } })).toEqual([
    `console: ${publicUrl} leads through a proxy that server.trustProxy does not name: failed sign-ins are limited by name alone, not by network`,
  ])
  for (const sound of [
    { server: { trustProxy: ['127.0.0.1/32'] }, console: { publicUrl, users } },
    { console: { users } },
    { console: { publicUrl: 'http://localhost:9000', users } },
    { console: { publicUrl: 'http://desk.newsroom.org:8081', users, listen: { host: '0.0.0.0' } } },
  ])
    expect(doubted(sound)).toEqual([])
})

test('without operators nobody is notified of trouble', () => {
  expect(doubted({ operators: [] })).toEqual([
    'operators: there are none: nobody is notified if a channel fails, the subscription is lost or the disk is full',
  ])
})

test.each([
  [
    'the only channel',
    { channels: [desk], operators: ['desk'] },
    'desk is the only channel: if it fails, nobody is notified',
  ],
  [
    'the only one of the operators',
    { operators: ['ops'] },
    'ops is the only channel under operators: if that fails, readers of other channels get the notices',
  ],
  [
    'named twice',
    { operators: ['ops', 'ops'] },
    'ops is the only channel under operators: if that fails, readers of other channels get the notices',
  ],
  [
    'of the same account',
    { channels: [desk, politics, ops], operators: ['desk', 'politics'] },
    'desk and politics all use slack.token: if that fails, readers of other channels get the notices',
  ],
])('operators’ channels that fail alone fail in silence: %s', (_, changes, text) => {
  expect(doubted(changes)).toEqual([`operators: ${text}`])
  expect(doubted({ ...changes, heartbeat: { url: 'https://hc.newsroom.org/1' } })).toEqual([])
})

test('a share of one is hardly meant where points are counted', () => {
  const quiet = { from: '22:00', to: '07:00', unless: { minDelta: 0.2 } }
  expect(
    doubted({
      channels: [
        { ...desk, minDelta: 0.05, quiet },
        { ...ops, minDelta: 1 },
      ],
    }),
  ).toEqual([
    'filters: minDelta of desk is 0.05, less than one percentage point',
    'filters: quiet.unless.minDelta of desk is 0.2, less than one percentage point',
  ])
})

test('webhooks of one provider are ways of their own', () => {
  const hooks = ['T/B/x', 'T/B/y'].map((path, index) => ({
    name: `hook-${index}`,
    type: 'slack',
    webhookUrl: `https://hooks.slack.com/services/${path}`,
  }))
  expect(doubted({ channels: hooks, operators: ['hook-0', 'hook-1'] })).toEqual([])
})

test.each(['https://desk.example', 'https://alerts.desk.example/hook', 'https://www.example.com'])(
  'a public address that is an example’s leads nowhere: %s',
  (publicUrl) => {
    const { hostname } = new URL(publicUrl)
    expect(doubted({ webhook: { publicUrl } })).toEqual([
      `publicUrl: ${hostname} is an example name: no webhook can arrive there`,
    ])
  },
)

test('names that only look like those of examples are somebody’s', () => {
  const hosts = ['example.de', 'example.com.desk.org', 'anexample.com', 'desk.org', '127.0.0.1']
  expect(hosts.filter(isReservedName)).toEqual([])
})

test('a public address without TLS lets others read deliveries, but on this machine', () => {
  expect(doubted({ webhook: { publicUrl: 'http://alerts.newsroom.org' } })).toEqual([
    'publicUrl: http://alerts.newsroom.org is not https: others in the network can read and block webhooks, but not forge them',
  ])
  expect(doubted({ webhook: { publicUrl: 'http://127.0.0.1:8080' } })).toEqual([])
})

test('a token that is asked for without webhooks.write makes no subscription', () => {
  const client = {
    tokenUrl: 'https://monitor.newsroom.org/token',
    clientId: 'desk',
    clientSecret: 'of-the-desk',
  }
  const asking = (scopes: string[] | undefined, publicUrl?: string) =>
    doubted({
      monitor: { baseUrl: monitor.baseUrl, oauth: { ...client, ...(scopes && { scopes }) } },
      webhook: publicUrl === undefined ? {} : { publicUrl },
    })
  const ours = 'https://alerts.newsroom.org'
  expect(asking(['monitoring.read'], ours)).toEqual([
    'scopes: monitor.oauth.scopes lacks webhooks.write, so Bluepencil cannot subscribe',
  ])
  expect(asking(['webhooks.write'], ours)).toEqual([])
  expect(asking(undefined, ours)).toEqual([])
  expect(asking(['monitoring.read'])).toEqual([])
})

test('mails that may go out without encryption', () => {
  const off = (changes: object) =>
    doubted({ email: { ...email, requireTls: false, ...changes }, channels: [desk, ops, mail] })
  expect(off({})).toEqual([
    'email: email.requireTls is off: mails and the password may go to mail.newsroom.org without encryption',
  ])
  expect(off({ smtp: 'smtp://mail.newsroom.org' })).toEqual([
    'email: email.requireTls is off: mails may go to mail.newsroom.org without encryption',
  ])
  expect(off({ smtp: 'smtp://localhost' })).toEqual([])
  expect(off({ smtp: 'smtps://me:pw@mail.newsroom.org' })).toEqual([])
})

test('check shows each of them, and passes', async () => {
  const { file } = await sandboxed({
    channels: '{ name: desk, type: console }',
    more: 'operators: [desk]\nwebhook: { publicUrl: "http://desk.example" }\n',
  })
  const { code, doubted: shown } = await checked(file)
  expect(code).toBe(0)
  expect(shown).toEqual([
    'configuration, operators: desk is the only channel: if it fails, nobody is notified',
    'configuration, publicUrl: desk.example is an example name: no webhook can arrive there',
  ])
})
