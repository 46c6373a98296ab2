import { expect, onTestFinished, test } from 'vitest'
import { checkSignIn } from '../../../../src/commands/check/sign-in.ts'
import { Config } from '../../../../src/config/schema.ts'
import { startOpenIdProvider } from '../../../support/fakes/openid-provider.ts'

async function provided() {
  const provider = await startOpenIdProvider()
  onTestFinished(() => provider.close())
  provider.trust(['https://desk.example/tools/sign-in/oidc/callback'])
  return provider
}

async function rowsOf(oidc: object): Promise<string[]> {
  const config = Config.parse({
    channels: [{ name: 'desk', type: 'console' }],
    console: {
      publicUrl: 'https://desk.example/tools',
      oidc: { clientId: 'desk', clientSecret: 'of the desk', roles: { groups: { a: 'reader' } }, ...oidc },
    },
  })
  const rows = []
  for await (const row of checkSignIn(config)) rows.push(row)
  return rows.map(({ level, text, hint }) => [level, text, hint].filter(Boolean).join(' '))
}

const back =
  'ok people are sent back to https://desk.example/tools/sign-in/oidc/callback, which must be registered there'

test('a provider that can be asked is ok, and what to register there is said', async () => {
  const { issuer } = await provided()
  expect(await rowsOf({ issuer })).toEqual([`ok ${issuer} can be asked`, back])
})

test('one that is away fails', async () => {
  const provider = await startOpenIdProvider()
  await provider.close()
  const [first] = await rowsOf({ issuer: provider.issuer })
  expect(first).toBe(
    `fail ${provider.issuer}/.well-known/openid-configuration could not be read: ECONNREFUSED`,
  )
})

test('one that calls itself otherwise fails, and what to write is said', async () => {
  const provider = await provided()
  provider.answerWith((_, response) => {
    const said = { issuer: `${provider.issuer}/realms/desk/`, authorization_endpoint: 'https://x.example/' }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said))
    return true
  })
  const [first] = await rowsOf({ issuer: `${provider.issuer}/realms/desk` })
  expect(first).toMatch(
    /^fail the provider at .* calls itself otherwise write console\.oidc\.issuer as it stands/,
  )
})

test('one that is no OpenID provider fails', async () => {
  const provider = await provided()
  provider.answerWith((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
    return true
  })
  expect((await rowsOf({ issuer: provider.issuer }))[0]).toMatch(
    /^fail .* is not what an OpenID provider says/,
  )
})

test('one that cannot do what is needed fails, and a scope that it does not name is doubted', async () => {
  const provider = await provided()
  provider.answerWith((_, response) => {
    const said = { issuer: provider.issuer, token_endpoint: 'x', response_types_supported: ['id_token'] }
    const more = { scopes_supported: ['openid'], token_endpoint_auth_methods_supported: ['private_key_jwt'] }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ...said, ...more }))
    return true
  })
  expect(await rowsOf({ issuer: provider.issuer, scopes: ['openid', 'groups'] })).toEqual([
    `fail ${provider.issuer} does not have the response type code, authorization_endpoint, jwks_uri and client_secret_basic and client_secret_post, which is needed`,
    `warn ${provider.issuer} does not name the scope groups (console.oidc.scopes)`,
    back,
  ])
})
