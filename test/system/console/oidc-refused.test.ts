import { describe, expect, test } from 'vitest'
import { minuteMs } from '../../../src/platform/durations.ts'
import { clientSecret, signInThere, startOpenIdProvider } from '../../support/fakes/openid-provider.ts'
import { openDesk } from './desk.ts'
import { begun, callbackOf, comeBack, oidcDesk, oidcOf, sentenceOf, signIn } from './oidc-desk.ts'

const { pass, provider, desk } = oidcDesk()

describe('a sign-in under way', () => {
  test('is finished by another process, after a restart, with the same store', async () => {
    const first = await openDesk({ console: { oidc: oidcOf(provider()) } }, { closing: () => {} })
    provider().trust([callbackOf(desk()), callbackOf(first)])
    const visitor = first.visitor()
    const address = await begun(visitor)
    await first.app.stop()
    const port = Number(new URL(first.url).port)
    const second = await openDesk(
      { console: { listen: { port }, oidc: oidcOf(provider()) } },
      { folder: first.folder },
    )
    expect(second.url).toBe(first.url)
    const { headers } = await comeBack(visitor, await signInThere(address, 'ben'))
    expect(headers.location).toBe('/console/alerts')
    expect((await visitor.see('/')).html).toContain('ben@desk.example, editor')
  })

  const notBegun = {
    status: 400,
    text: 'This sign-in was started in another browser, or more than 15 minutes ago. Please start again.',
  }

  test('that somebody else began is theirs: a stolen address signs nobody in', async () => {
    const [victim, thief] = [desk().visitor(), desk().visitor()]
    const back = await signInThere(await begun(victim), 'ana')
    expect(await sentenceOf(thief, await comeBack(thief, back))).toEqual(notBegun)
    await begun(thief)
    expect(await sentenceOf(thief, await comeBack(thief, back))).toEqual(notBegun)
    expect((await thief.see('/')).status).toBe(303)
  })

  test.each<[string, (back: URL) => void]>([
    ['another state', (back) => back.searchParams.set('state', 'A'.repeat(43))],
    ['no state', (back) => back.searchParams.delete('state')],
    ['two states', (back) => back.searchParams.append('state', 'x')],
    ['another code', (back) => back.searchParams.set('code', 'A'.repeat(43))],
    ['no code', (back) => back.searchParams.delete('code')],
    ['another issuer', (back) => back.searchParams.set('iss', 'https://evil.example')],
    ['no issuer', (back) => back.searchParams.delete('iss')],
  ])('with %s signs nobody in', async (_, change) => {
    const visitor = desk().visitor()
    const back = await signInThere(await begun(visitor), 'ana')
    change(back)
    const { status } = await sentenceOf(visitor, await comeBack(visitor, back))
    expect(status).toBeGreaterThanOrEqual(400)
    expect((await visitor.see('/')).status).toBe(303)
  })

  test.each<[string, (cookie: string) => string]>([
    ['that names another place', (cookie) => forged(cookie, { to: '/log' })],
    ['that lasts longer', (cookie) => forged(cookie, { until: Date.now() * 2 })],
    ['without its signature', (cookie) => decodeURIComponent(cookie).split('.')[0] ?? ''],
    ['that is no JSON', () => 'x.y'],
  ])('with a cookie %s is nobody’s', async (_, change) => {
    const visitor = desk().visitor()
    const back = await signInThere(await begun(visitor), 'ana')
    visitor.cookies.set('bluepencil_sign_in', change(visitor.cookies.get('bluepencil_sign_in') ?? ''))
    expect(await sentenceOf(visitor, await comeBack(visitor, back))).toEqual(notBegun)
  })

  test('with the cookie of a session is none', async () => {
    const [visitor, other] = [desk().visitor(), desk().visitor()]
    const back = await signInThere(await begun(visitor), 'ana')
    await signIn(other, 'ben')
    visitor.cookies.set('bluepencil_sign_in', other.cookies.get('bluepencil_console') ?? '')
    expect(await sentenceOf(visitor, await comeBack(visitor, back))).toEqual(notBegun)
  })

  test('that was begun with another client is none', async () => {
    const at = await openDesk({ console: { oidc: oidcOf(provider()) } })
    provider().trust([callbackOf(desk()), callbackOf(at)])
    const visitor = at.visitor()
    const back = await signInThere(await begun(visitor), 'ana')
    const other = { ...at.config.console, oidc: { ...at.config.console?.oidc, clientId: 'other' } }
    await at.app.reload({ ...at.config, console: other } as never)
    expect(await sentenceOf(visitor, await comeBack(visitor, back))).toEqual(notBegun)
  })

  test('is over after a quarter of an hour', async () => {
    const visitor = desk().visitor()
    const back = await signInThere(await begun(visitor), 'ana')
    pass(15 * minuteMs + 1_000)
    expect(await sentenceOf(visitor, await comeBack(visitor, back))).toEqual(notBegun)
  })

  test('is used once, even with copied cookies', async () => {
    const visitor = desk().visitor()
    const back = await signInThere(await begun(visitor), 'ana')
    const copied = desk().visitor()
    copied.cookies.set('bluepencil_sign_in', visitor.cookies.get('bluepencil_sign_in') ?? '')
    expect((await comeBack(visitor, back)).headers.location).toBe('/console/alerts')
    const tokens = provider().asked.filter((path) => path === '/token').length
    expect(await sentenceOf(copied, await comeBack(copied, back))).toEqual({
      status: 400,
      text: 'This sign-in was already used. Please start again.',
    })
    expect(provider().asked.filter((path) => path === '/token').length).toBe(tokens)
    // Who has signed in meanwhile, and goes back, is where they were.
    expect((await comeBack(visitor, back)).headers.location).toBe('/console/')
  })

  test.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'leads to no other place: %s',
    async (to) => {
      const { headers } = await signIn(desk().visitor(), 'ben', to)
      expect(headers.location).toMatch(/^\/console\//)
      expect(new URL(String(headers.location), desk().url).origin).toBe(new URL(desk().url).origin)
    },
  )

  test('its cookie is for its way alone, is seen by no script, and holds nothing that is sent', async () => {
    const { headers } = await desk().visitor().see('/sign-in/oidc')
    const set = [headers['set-cookie']].flat().find((one) => one?.startsWith('bluepencil_sign_in='))
    expect(set).toMatch(
      /^bluepencil_sign_in=[^;]+; Max-Age=900; Path=\/console\/sign-in\/oidc; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    )
    const { searchParams } = new URL(String(headers.location))
    const [payload = ''] = decodeURIComponent(/=([^;]+)/.exec(set ?? '')?.[1] ?? '').split('.')
    const text = Buffer.from(payload, 'base64url').toString()
    for (const name of ['state', 'nonce']) expect(text).not.toContain(searchParams.get(name) ?? '')
  })

  test('who fails too often waits', async () => {
    const at = await openDesk({
      console: { oidc: oidcOf(provider()) },
      server: { host: '127.0.0.1', port: 0, trustProxy: ['127.0.0.1/32'] },
    })
    provider().trust([callbackOf(desk()), callbackOf(at)])
    const visitor = at.visitor()
    for (let tries = 0; tries < 10; tries++) {
      const back = await signInThere(await begun(visitor), 'ana')
      back.searchParams.set('code', `wrong${tries}`)
      expect((await sentenceOf(visitor, await comeBack(visitor, back))).status).toBe(400)
    }
    expect(await sentenceOf(visitor, await signIn(visitor, 'ana'))).toMatchObject({ status: 429 })
  })
})

describe('a token of the provider', () => {
  const now = () => Math.floor(Date.now() / 1_000)
  const unverified = {
    status: 401,
    text: 'The provider’s answer belongs to another sign-in, or is not signed by the provider. You are not signed in.',
  }

  test.each<[string, (claims: Record<string, unknown>) => Record<string, unknown>]>([
    ['for another client', (claims) => ({ ...claims, aud: 'other' })],
    ['of another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' })],
    ['of another sign-in', (claims) => ({ ...claims, nonce: 'A'.repeat(43) })],
    ['of no sign-in', (claims) => ({ ...claims, nonce: undefined })],
  ])('%s signs nobody in', async (_, change) => {
    provider().changeTokens(change)
    const visitor = desk().visitor()
    expect(await sentenceOf(visitor, await signIn(visitor, 'ana'))).toEqual(unverified)
    expect((await visitor.see('/')).status).toBe(303)
  })

  test('that somebody else has signed, with a key of the same name, signs nobody in', async () => {
    provider().forgeTokens()
    const visitor = desk().visitor()
    expect(await sentenceOf(visitor, await signIn(visitor, 'ana'))).toEqual(unverified)
  })

  test('that is over says what may be wrong: a clock', async () => {
    provider().changeTokens((claims) => ({ ...claims, exp: now() - 600 }))
    const visitor = desk().visitor()
    const { status, text } = await sentenceOf(visitor, await signIn(visitor, 'ana'))
    expect([status, text]).toEqual([502, expect.stringContaining('the clocks of this machine and of the')])
  })
})

describe('a provider', () => {
  test('that is away is one sentence, and the page to sign in is there', async () => {
    const gone = await startOpenIdProvider()
    await gone.close()
    const at = await openDesk({ console: { oidc: oidcOf(gone) } })
    const visitor = at.visitor()
    const answer = await visitor.see('/sign-in/oidc?to=%2Flog')
    expect(await sentenceOf(visitor, answer)).toEqual({
      status: 503,
      text: 'The provider cannot be reached, or does not answer in time. Please try again.',
    })
    expect(String(answer.headers.location)).toContain('to=%2Flog')
  })

  test.each<[string, number, string, number]>([
    ['fails', 500, '{"error":"server_error"}', 503],
    ['does not know us', 401, '{"error":"invalid_client"}', 502],
    ['answers with a page', 200, '<html>', 502],
    ['leads elsewhere', 302, '', 502],
  ])('that %s when the code is exchanged is one sentence', async (_, status, body, shown) => {
    const visitor = desk().visitor()
    const back = await signInThere(await begun(visitor), 'ana')
    provider().answerWith((path, response) => {
      if (path !== '/token') return false
      const headers = { 'content-type': body === '<html>' ? 'text/html' : 'application/json', location: '/x' }
      response.writeHead(status, headers).end(body)
      return true
    })
    expect((await sentenceOf(visitor, await comeBack(visitor, back))).status).toBe(shown)
  })

  test('that echoes the whole request gets nothing of it into a page or a log', async () => {
    const visitor = desk().visitor()
    const back = await signInThere(await begun(visitor), 'ana')
    const code = back.searchParams.get('code') ?? ''
    provider().answerWith((path, response) => {
      if (path !== '/token') return false
      const echoed = { error: clientSecret, error_description: `${clientSecret} ${code}`, error_uri: code }
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(echoed))
      return true
    })
    const answer = await comeBack(visitor, back)
    const page = await visitor.see(String(answer.headers.location).slice('/console'.length))
    const seen = `${JSON.stringify(answer)}${page.html}${desk().log.join()}`
    expect(page.html).toContain('The provider’s answer cannot be used.')
    expect(seen).not.toContain(clientSecret)
    expect(desk().log.join()).not.toContain(code)
  })
})

function forged(cookie: string, change: object): string {
  const [text = '', mark = ''] = decodeURIComponent(cookie).split('.')
  const payload = { ...JSON.parse(Buffer.from(text, 'base64url').toString()), ...change }
  return `${Buffer.from(JSON.stringify(payload)).toString('base64url')}.${mark}`
}
