import { describe, expect, test } from 'vitest'
import { hourMs, minuteMs } from '../../../src/platform/durations.ts'
import { signInThere, startOpenIdProvider } from '../../support/fakes/openid-provider.ts'
import { storedEntries } from '../../support/stored.ts'
import { openDesk } from './desk.ts'
import { begun, callbackOf, comeBack, oidcDesk, oidcOf, sentenceOf, signIn } from './oidc-desk.ts'
import { quickHashOf } from './quick-hash.ts'

const { clock, pass, provider, desk } = oidcDesk()

describe('with an account of an OpenID provider', () => {
  test.each([
    ['ana', 'ana@desk.example, admin'],
    ['ben', 'ben@desk.example, editor'],
    ['eve', 'eve@desk.example, reader'],
  ])('%s signs in, and their groups or their address say the role: %s', async (who, shown) => {
    const visitor = desk().visitor()
    const page = await visitor.see('/alerts')
    expect(page.headers.location).toBe('/console/sign-in?to=%2Falerts')
    const { html } = await visitor.see('/sign-in?to=%2Falerts')
    expect(html).toContain('href="/console/sign-in/oidc?to=%2Falerts">Sign in with the desk’s account</a>')
    expect(html).not.toContain('type="password"')
    const { status, headers } = await signIn(visitor, who)
    expect([status, headers.location]).toEqual([303, '/console/alerts'])
    expect((await visitor.see('/alerts')).html).toContain(shown)
  })

  test('it asks for a code with PKCE, state and nonce, and says where people come back to', async () => {
    const address = new URL(await begun(desk().visitor()))
    expect(address.origin).toBe(provider().issuer)
    expect(Object.fromEntries(address.searchParams)).toEqual({
      client_id: 'desk',
      response_type: 'code',
      redirect_uri: callbackOf(desk()),
      scope: 'openid profile email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
  })

  test('groups that stand in the token are read there, and the provider is asked for nothing more', async () => {
    const open = await startOpenIdProvider({ inToken: true })
    const at = await openDesk({ console: { oidc: oidcOf(open) } })
    open.trust([callbackOf(at)])
    const visitor = at.visitor()
    await signIn(visitor, 'ben')
    expect((await visitor.see('/')).html).toContain('ben@desk.example, editor')
    expect(open.asked.filter((path) => path === '/me')).toEqual([])
    await open.close()
  })

  test('a person without a role reads so in a sentence, and is not signed in', async () => {
    const visitor = desk().visitor()
    expect(await sentenceOf(visitor, await signIn(visitor, 'mallory'))).toEqual({
      status: 403,
      text: 'The provider knows you, but you have no role here. Ask the admin of this console.',
    })
    expect((await visitor.see('/')).status).toBe(303)
  })

  test('an address that the provider has not verified gives nobody its role', async () => {
    const at = await openDesk({
      console: {
        oidc: oidcOf(provider(), { roles: { emails: { 'ana@desk.example': 'admin' }, anyone: 'reader' } }),
      },
    })
    provider().trust([callbackOf(desk()), callbackOf(at)])
    const [mallory, ana] = [at.visitor(), at.visitor()]
    await signIn(mallory, 'mallory')
    expect((await mallory.see('/')).html).toContain('<span>mallory (unverified), reader</span>')
    await signIn(ana, 'ana')
    expect((await ana.see('/')).html).toContain('ana@desk.example, admin')
  })

  test('a person who cancels at the provider reads that', async () => {
    const visitor = desk().visitor()
    expect(await sentenceOf(visitor, await signIn(visitor, undefined))).toEqual({
      status: 401,
      text: 'You cancelled the sign-in, or the provider did not allow it.',
    })
  })

  test('signing out ends it wherever its cookie is', async () => {
    const visitor = desk().visitor()
    await signIn(visitor, 'ben')
    const stolen = desk().visitor()
    stolen.cookies.set('bluepencil_console', visitor.cookies.get('bluepencil_console') ?? '')
    expect((await stolen.see('/')).status).toBe(200)
    await visitor.submit('/', '/sign-out')
    expect((await visitor.see('/')).status).toBe(303)
    expect((await stolen.see('/')).status).toBe(303)
  })

  test('after twelve hours they are asked again', async () => {
    const visitor = desk().visitor()
    await signIn(visitor, 'ben')
    pass(12 * hourMs - minuteMs)
    expect((await visitor.see('/')).status).toBe(200)
    pass(2 * minuteMs)
    expect((await visitor.see('/')).status).toBe(303)
  })

  test('what somebody does is put down with their verified address', async () => {
    await desk().deliver('evt_1', {}, clock.now())
    const [ben, ana] = [desk().visitor(), desk().visitor()]
    await signIn(ben, 'ben')
    await ben.submit('/alerts/evt_1', '/alerts/evt_1/acknowledge')
    await signIn(ana, 'ana')
    expect((await ana.see('/log')).html).toContain('ben@desk.example acknowledged <a')
  })

  test('a name that somebody chose at the provider is marked, and the provider’s own id is kept', async () => {
    const at = await openDesk({ console: { oidc: oidcOf(provider(), { roles: { anyone: 'admin' } }) } })
    provider().trust([callbackOf(desk()), callbackOf(at)])
    provider().changeTokens((claims) => ({ ...claims, preferred_username: 'ana@desk.example' }))
    await at.deliver('evt_1')
    const mallory = at.visitor()
    await signIn(mallory, 'mallory')
    await mallory.submit('/alerts/evt_1', '/alerts/evt_1/acknowledge')
    expect((await mallory.see('/log')).html).toContain('ana@desk.example (unverified) acknowledged <a')
    const journal = storedEntries(`${at.folder}/data`)
    expect(journal).toContain('{"name":"ana@desk.example (unverified)","id":"mallory","via":"console"}')
  })

  test('a role that is taken out of the configuration is gone at once, and so is everybody with the provider', async () => {
    const at = await openDesk({ console: { oidc: oidcOf(provider()) } })
    provider().trust([callbackOf(desk()), callbackOf(at)])
    const visitor = at.visitor()
    await signIn(visitor, 'ana')
    expect((await visitor.see('/')).html).toContain('ana@desk.example, admin')
    const reload = (given: object) =>
      at.app.reload({ ...at.config, console: { ...at.config.console, ...given } } as never)
    const less = { groups: { newsroom: 'reader' }, emails: {} }
    await reload({ oidc: { ...at.config.console?.oidc, roles: less } })
    expect((await visitor.see('/')).html).toContain('ana@desk.example, reader')
    await reload({ oidc: { ...at.config.console?.oidc, clientId: 'other' } })
    expect((await visitor.see('/')).status).toBe(303)
  })

  test('passwords can stand beside it', async () => {
    const users = [{ name: 'zoe', password: await quickHashOf('a password of zoe') }]
    const at = await openDesk({ console: { users, oidc: oidcOf(provider()) } })
    const visitor = at.visitor()
    expect((await visitor.see('/sign-in')).html).toMatch(/Sign in with the desk’s account.*type="password"/s)
    await visitor.signIn('zoe', 'a password of zoe')
    expect((await visitor.see('/')).html).toContain('zoe, reader')
  })
})

describe('the address to which people come back', () => {
  test('is the public one, under its path, for any host that a proxy requests', async () => {
    const at = await openDesk({
      console: { publicUrl: 'https://desk.example/tools/pencil', oidc: oidcOf(provider()) },
    })
    provider().trust([callbackOf(desk()), 'https://desk.example/tools/pencil/sign-in/oidc/callback'])
    const visitor = at.visitor({ host: 'desk.example', 'x-forwarded-for': '203.0.113.7' })
    const address = await begun(visitor)
    expect(new URL(address).searchParams.get('redirect_uri')).toBe(
      'https://desk.example/tools/pencil/sign-in/oidc/callback',
    )
    const { headers } = await comeBack(visitor, await signInThere(address, 'ben'))
    expect(headers.location).toBe('/tools/pencil/alerts')
    expect([headers['set-cookie']].flat().join()).toMatch(
      /bluepencil_console=[^;]+;.*; Path=\/tools\/pencil;.*Secure/,
    )
  })

  test('is not taken from the host of somebody else’s choice', async () => {
    const visitor = desk().visitor({ host: 'evil.example' })
    const answer = await visitor.see('/sign-in/oidc')
    expect(await sentenceOf(visitor, answer)).toMatchObject({ status: 500 })
  })
})
