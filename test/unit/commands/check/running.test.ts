import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { checkSignIn } from '../../../../src/commands/check/running.ts'
import { Config } from '../../../../src/config/schema.ts'
import { command } from '../../../support/command.ts'
import { startOpenIdProvider } from '../../../support/fakes/openid-provider.ts'
import { secret } from '../../../support/fakes/signed.ts'
import { freePort } from '../../../support/free-port.ts'
import { configured } from '../../../support/served.ts'
import { checked } from './checked.ts'

const channels = 'channels: [{ name: desk, type: console }]\noperators: [desk]\n'

async function ports() {
  const [port, consolePort] = [await freePort(), await freePort()]
  const console = `console: { listen: { port: ${consolePort} } }\n`
  return { port, consolePort, made: configured(`${channels}${console}`, `host: 127.0.0.1, port: ${port}`) }
}

async function occupy(port: number): Promise<void> {
  const server = createServer((socket) => void socket.end()).listen(port, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
}

test('ports that another program has are failures, with the key to change', async () => {
  const { port, consolePort, made } = await ports()
  await occupy(port)
  await occupy(consolePort)
  const { code, about } = await checked(made.file)
  expect(code).toBe(1)
  expect(about('serve', 'port')).toEqual({
    about: 'serve',
    level: 'fail',
    what: 'port',
    text: `another program listens on 127.0.0.1 port ${port}`,
    hint: 'set server.port, or end that program',
  })
  expect(about('console', 'port')).toMatchObject({
    level: 'fail',
    text: `another program listens on 127.0.0.1 port ${consolePort}`,
  })
})

test('that no service runs on a store in use is in doubt; before the first start it is not', async () => {
  const { port, consolePort, made } = await ports()
  const rowsOfServe = async () => {
    const { about } = await checked(made.file)
    return [about('serve', 'running'), about('serve', 'port'), about('console', 'port')].map(
      (row) => `${row?.level} ${row?.text}`,
    )
  }
  const free = [`ok 127.0.0.1 port ${port} is free`, `ok 127.0.0.1 port ${consolePort} is free`]
  expect(await rowsOfServe()).toEqual(['ok not running yet; start it with: npx bluepencil serve', ...free])
  await made.store()
  expect(await rowsOfServe()).toEqual(['warn not running: nothing is received, polled or sent', ...free])
  await made.serve()
  expect(await rowsOfServe()).toEqual([
    'ok yes',
    `ok the running service listens on 127.0.0.1 port ${port}`,
    `ok the running service listens on 127.0.0.1 port ${consolePort}`,
  ])
})

test('it ends in one line that says how all of it stands', async () => {
  const { port, made } = await ports()
  const lastLine = async () => (await command(['check', '--config', made.file])).out.split('\n').at(-2)
  await made.store()
  expect(await lastLine()).toMatch(/^Not in order: 1 failure, \d warnings?$/)
  const polled = configured(`webhook: { secrets: [${secret}] }\n${channels}`)
  expect((await command(['check', '--config', polled.file])).out).toMatch(/\nIn order, \d warnings?\n$/)
  await occupy(port)
  expect(await lastLine()).toMatch(/^Not in order: 2 failures, \d warnings?$/)
})

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
    const discovery = {
      issuer: `${provider.issuer}/realms/desk/`,
      authorization_endpoint: 'https://x.example/',
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(discovery))
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
    const discovery = { issuer: provider.issuer, token_endpoint: 'x', response_types_supported: ['id_token'] }
    const more = { scopes_supported: ['openid'], token_endpoint_auth_methods_supported: ['private_key_jwt'] }
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ ...discovery, ...more }))
    return true
  })
  expect(await rowsOf({ issuer: provider.issuer, scopes: ['openid', 'groups'] })).toEqual([
    `fail ${provider.issuer} does not have the response type code, authorization_endpoint, jwks_uri and client_secret_basic and client_secret_post, which is needed`,
    `warn ${provider.issuer} does not name the scope groups (console.oidc.scopes)`,
    back,
  ])
})
