import { expect, test } from 'vitest'
import { consolePath } from '../../../src/config/console.ts'
import { needRestart } from '../../../src/config/derived.ts'
import { Config } from '../../../src/config/schema.ts'

const hash = `$scrypt$ln=15,r=8,p=3$${'A'.repeat(22)}$${'A'.repeat(43)}`
const ana = { name: 'ana', password: hash }
const oidc = {
  issuer: 'https://login.example',
  clientId: 'desk',
  clientSecret: 'of the desk',
  roles: { groups: { newsroom: 'editor' } },
}
const configOf = (console?: object) =>
  Config.safeParse({ channels: [{ name: 'desk', type: 'console' }], ...(console && { console }) })

test('it is off where nothing is said, and at this machine where nothing more is', () => {
  expect(configOf().data?.console).toBeUndefined()
  expect(configOf({}).data?.console).toEqual({ listen: { port: 8081 }, edit: true })
})

test.each<[string, object, RegExp]>([
  [
    'an open address without a sign-in',
    { listen: { host: '0.0.0.0' } },
    /can be reached from other machines/,
  ],
  [
    'a password in place of its hash',
    { users: [{ ...ana, password: 'correct horse' }] },
    /run npx bluepencil console-user/,
  ],
  ['two people of one name', { users: [ana, ana] }, /there is another ana/],
  ['an empty list of people', { users: [] }, /is an empty list/],
  ['a role that there is not', { users: [{ ...ana, role: 'owner' }] }, /reader/],
  [
    'a network that is none',
    { proxy: { header: 'X-User', from: ['10.0.0.0/33'], roles: {} } },
    /is not a network/,
  ],
  [
    'an address in place of a network',
    { proxy: { header: 'X-User', from: ['10.0.0.1'], roles: {} } },
    /is not a network/,
  ],
  [
    'a provider to which secrets would go in the clear',
    { oidc: { ...oidc, issuer: 'http://login.example' } },
    /must be https/,
  ],
  [
    'a provider whose address has a password',
    { oidc: { ...oidc, issuer: 'https://a:b@login.example' } },
    /more than/,
  ],
  ['a provider that gives nobody a role', { oidc: { ...oidc, roles: {} } }, /gives nobody a role/],
  ['a sign-in without openid', { oidc: { ...oidc, scopes: ['email'] } }, /lacks openid/],
  [
    'a role for what is no address',
    { oidc: { ...oidc, roles: { emails: { ana: 'admin' } } } },
    /neither an e-mail address nor a domain/,
  ],
  [
    'a provider that does not know where to send people back to',
    { listen: { host: '0.0.0.0' }, oidc },
    /sends people back/,
  ],
])('%s is refused', (_, console, why) => {
  const { error } = configOf(console)
  expect(error?.issues.map(({ message }) => message).join()).toMatch(why)
})

test.each([
  [{ listen: { host: '0.0.0.0' }, users: [ana] }],
  [
    {
      listen: { host: '::' },
      proxy: { header: 'X-User', from: ['2001:db8::/32'], roles: { '*': 'reader' } },
    },
  ],
  [{ listen: { host: 'localhost' } }],
  [{ listen: { host: '0.0.0.0' }, publicUrl: 'https://desk.example', oidc }],
  [{ oidc: { ...oidc, issuer: 'https://login.example/application/o/desk/' } }],
  [{ oidc: { ...oidc, issuer: 'http://127.0.0.1:8080/realms/desk', roles: { anyone: 'reader' } } }],
  [{ listen: { host: '127.0.0.2' } }],
])('%j is accepted', (console) => {
  expect(configOf(console).error?.issues ?? []).toEqual([])
})

test.each([
  [undefined, '/console'],
  ['https://desk.example', '/console'],
  ['https://desk.example/tools/bluepencil', '/tools/bluepencil'],
])('with the public address %s it stands below %s', (publicUrl, path) => {
  expect(consolePath({ publicUrl })).toBe(path)
})

test('where it listens needs a restart; who may does not', () => {
  const of = (console?: object) =>
    Config.parse({ channels: [{ name: 'desk', type: 'console' }], ...(console && { console }) })
  expect(needRestart(of(), of({}))).toEqual(['console'])
  expect(needRestart(of({}), of({ listen: { port: 9 } }))).toEqual(['console'])
  expect(needRestart(of({}), of({ users: [ana] }))).toEqual([])
})
