import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export type Claims = Record<string, unknown>

/** Who has an account there, by the name that they sign in with; any password will do. */
const people: Record<string, Claims> = {
  ana: { email: 'Ana@desk.example', email_verified: true, groups: ['newsroom-admins', 'newsroom'] },
  ben: { email: 'ben@desk.example', email_verified: true, groups: ['newsroom'] },
  eve: { email: 'eve@desk.example', email_verified: true, groups: ['readers'] },
  mallory: { email: 'ana@desk.example', email_verified: false, preferred_username: 'mallory', groups: [] },
}

export const clientSecret = 'secret-of-the-console-1f83'

/**
 * A certified OpenID provider (panva/oidc-provider) on this machine. What it puts into a token can be changed before it is
 * signed, and how it answers.
 */
export async function startOpenIdProvider({ inToken = false }: { inToken?: boolean } = {}) {
  const key = newKey()
  const other = newKey()
  let answers: ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | undefined
  let instead: ((path: string, response: ServerResponse) => boolean) | undefined
  let change: ((claims: Claims) => Claims) | undefined
  let isForged = false
  const paths: string[] = []
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname
    paths.push(path)
    if (instead?.(path, response) !== true) void answers?.(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    issuer,
    /** Paths, in their order. */
    asked: paths,
    /** The console's addresses, as they are registered. */
    trust(redirectUris: string[]) {
      const provider = new Provider(issuer, {
        clients: [
          { client_id: 'desk', client_secret: clientSecret, redirect_uris: redirectUris },
          { client_id: 'other', client_secret: 'another', redirect_uris: redirectUris },
        ],
        jwks: { keys: [key] },
        ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
        cookies: { keys: ['of the provider'] },
        claims: {
          openid: ['sub'],
          email: ['email', 'email_verified'],
          profile: ['preferred_username', 'groups'],
        },
        // Otherwise only the page of users has them, as the specification would have it.
        conformIdTokenClaims: !inToken,
        findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
        async loadExistingGrant({ oidc }) {
          const [accountId = '', clientId = ''] = [oidc.session?.accountId, oidc.client?.clientId]
          const grant = new provider.Grant({ accountId, clientId })
          grant.addOIDCScope('openid profile email')
          await grant.save()
          return grant
        },
      })
      provider.use(async (context, next) => {
        await next()
        const { body } = context
        if (context.path !== '/token' || !hasToken(body) || (change === undefined && !isForged)) return
        const [, payload = ''] = body.id_token.split('.')
        const claims: Claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
        context.body = { ...body, id_token: signed(change?.(claims) ?? claims, isForged ? other : key) }
      })
      answers = provider.callback()
    },
    /** What the next tokens say instead; with its own signature. */
    changeTokens(how: (claims: Claims) => Claims) {
      change = how
    },
    /** Somebody else signs them, with a key of the same name. */
    forgeTokens() {
      isForged = true
    },
    /** Answers in its place where it returns true. */
    answerWith(how: (path: string, response: ServerResponse) => boolean) {
      instead = how
    },
    /** Neither tokens nor answers are changed any more. */
    answerAsItIs() {
      change = undefined
      isForged = false
      instead = undefined
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type OpenIdProvider = Awaited<ReturnType<typeof startOpenIdProvider>>

/**
 * What a browser does at the provider: from the address where it was sent, signs in as somebody (or cancels), and gives the
 * address that it is sent back to.
 */
export async function signInThere(address: string, who: string | undefined): Promise<URL> {
  const cookies = new Map<string, string>()
  const { origin } = new URL(address)
  async function go(url: string, form?: Record<string, string>): Promise<URL> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    const to = answer.headers.get('location')
    if (to === null) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`)
    return new URL(to, url)
  }
  let at = await go(address)
  while (at.origin === origin && !at.pathname.startsWith('/console')) {
    const isAsking = at.pathname.startsWith('/interaction/')
    if (isAsking && who === undefined) at = await go(`${at.href}/abort`)
    else at = await go(at.href, isAsking ? { prompt: 'login', login: who ?? '', password: 'any' } : undefined)
  }
  return at
}

type Key = ReturnType<typeof newKey>

function newKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  return { ...privateKey.export({ format: 'jwk' }), kid: 'first', alg: 'RS256', use: 'sig' }
}

function signed(claims: Claims, key: Key): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'RS256', typ: 'JWT', kid: key.kid })}.${part(claims)}`
  const mark = sign('sha256', Buffer.from(text), createPrivateKey({ key, format: 'jwk' }))
  return `${text}.${mark.toString('base64url')}`
}

function hasToken(body: unknown): body is { id_token: string } {
  return typeof body === 'object' && body !== null && 'id_token' in body && typeof body.id_token === 'string'
}
