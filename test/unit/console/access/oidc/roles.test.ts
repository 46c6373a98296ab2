import { expect, test } from 'vitest'
import type { Oidc } from '../../../../../src/config/oidc.ts'
import { type Claims, personFrom, roleFrom } from '../../../../../src/console/access/oidc/roles.ts'

const roles: Oidc['roles'] = {
  groups: { newsroom: 'editor', 'newsroom-admins': 'admin' },
  emails: { 'ana@desk.example': 'admin', '@desk.example': 'reader' },
}
const oidc: Oidc = {
  issuer: 'https://login.example',
  clientId: 'desk',
  clientSecret: 'secret',
  scopes: ['openid'],
  groupsClaim: 'groups',
  roles,
}
const of = (claims: Claims, more: Partial<Oidc> = {}) => {
  const inForce = { ...oidc, ...more }
  const { name, fits } = personFrom({ sub: 'sub-1', ...claims }, inForce)
  return [name, roleFrom(fits, inForce)]
}
const verified = (email: unknown) => ({ email, email_verified: true })

test.each<[string, Claims, [string, string | undefined]]>([
  ['in one group', { groups: ['newsroom'] }, ['sub-1', 'editor']],
  ['in several', { groups: ['newsroom', 'newsroom-admins', 'others'] }, ['sub-1', 'admin']],
  ['in a group that is no list', { groups: 'newsroom' }, ['sub-1', 'editor']],
  ['in none', { groups: [] }, ['sub-1', undefined]],
  ['in groups that are no text', { groups: [{ newsroom: true }, null, 7] }, ['sub-1', undefined]],
  ['by an address', verified('ana@desk.example'), ['ana@desk.example', 'admin']],
  ['by an address in capitals', verified('Ana@Desk.EXAMPLE'), ['ana@desk.example', 'admin']],
  ['by a domain', verified('zoe@desk.example'), ['zoe@desk.example', 'reader']],
  ['by a domain that only ends so', verified('zoe@evil-desk.example'), ['zoe@evil-desk.example', undefined]],
  [
    'by a domain in the name',
    verified('x@desk.example@evil.example'),
    ['x@desk.example@evil.example', undefined],
  ],
  ['by an address that is not verified', { email: 'ana@desk.example' }, ['sub-1', undefined]],
  [
    'by one that is said not to be',
    { email: 'ana@desk.example', email_verified: false },
    ['sub-1', undefined],
  ],
  [
    'by one that is verified, in text',
    { email: 'ana@desk.example', email_verified: 'true' },
    ['ana@desk.example', 'admin'],
  ],
  ['with a name', { preferred_username: 'zoe', groups: ['newsroom'] }, ['zoe (unverified)', 'editor']],
  ['as a group that JavaScript knows', { groups: ['constructor', '__proto__'] }, ['sub-1', undefined]],
])('%s', (_, claims, found) => {
  expect(of(claims)).toEqual(found)
})

test('groups may lie deeper, or under an address', () => {
  const admin = ['sub-1', 'admin']
  const groups = ['newsroom-admins']
  expect(of({ realm_access: { roles: groups } }, { groupsClaim: 'realm_access.roles' })).toEqual(admin)
  expect(
    of({ 'https://desk.example/groups': groups }, { groupsClaim: 'https://desk.example/groups' }),
  ).toEqual(admin)
  expect(of({ realm_access: null }, { groupsClaim: 'realm_access.roles' })).toEqual(['sub-1', undefined])
})

test('anyone has a role where it says so, and a higher one where they fit', () => {
  const open = { roles: { ...roles, anyone: 'reader' as const } }
  expect(of({}, open)).toEqual(['sub-1', 'reader'])
  expect(of({ groups: ['newsroom'] }, open)).toEqual(['sub-1', 'editor'])
})

test('what is in the cookie stays small, however many groups fit, and the highest role is kept', () => {
  const many = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [`group ${index}`, 'reader' as const]),
  )
  const inForce = { ...oidc, roles: { groups: { ...many, last: 'admin' as const }, emails: {} } }
  const { fits } = personFrom({ sub: 's', groups: [...Object.keys(many), 'last'] }, inForce)
  expect(JSON.stringify(fits).length).toBeLessThan(300)
  expect(roleFrom(fits, inForce)).toBe('admin')
})

test('no name commands a terminal, or turns what is beside it', () => {
  const { name } = personFrom({ preferred_username: 'z\u001b[31mo\n\u202ee' }, oidc)
  expect(name).toMatch(/^z.*e \(unverified\)$/)
  expect(name).not.toMatch(/[\p{Cc}\p{Cf}]/u)
})
