import { describe, expect, test } from 'vitest'
import { command } from '../../support/command.ts'
import { secret } from '../../support/fakes/signed.ts'
import { configured } from '../../support/served.ts'

const settings = `channels: [{ name: desk, type: console }]
webhook: { secrets: [${secret}] }
console: { listen: { port: 0 } }
`

describe.each(['beside a running service', 'without one'])('%s', (how) => {
  async function opened() {
    const made = configured(settings)
    await made.store()
    if (how === 'beside a running service') await made.serve()
    return (...argv: string[]) => command([...argv, '--config', made.file])
  }

  test('a token is made, shown once, listed without it, and revoked', async () => {
    const ask = await opened()
    const { code, out, notes } = await ask('token', 'add', 'Notebook', '--for', 'api', '--by', 'Ana Lopes')
    expect(code).toBe(0)
    expect(out).toMatch(/^bpapi_[\w-]{43}\n$/)
    const id = /^tok_\w+/.exec(notes)?.[0] ?? ''
    expect(notes).toBe(`${id}: it is shown only once and stored nowhere.\n`)
    const listed = (await ask('token', 'list')).out
    expect(listed).toMatch(new RegExp(`^${id}  Notebook  for api  made .*Z by Ana Lopes  not used yet\\n$`))
    const machine = (await ask('token', 'list', '--json')).out
    expect(Object.keys(JSON.parse(machine))).toEqual(['id', 'name', 'use', 'madeBy', 'madeAt'])
    expect(listed + machine).not.toContain(out.trim())
    expect(await ask('token', 'revoke', id, '--by', 'Ben')).toEqual({
      code: 0,
      notes: '',
      out: `${id} is revoked and no longer works.\n`,
    })
    expect(await ask('token', 'list')).toEqual({ code: 0, out: '', notes: 'There are no tokens.\n' })
    expect(await ask('token', 'revoke', id)).toEqual({
      code: 1,
      out: '',
      notes: `bluepencil: there is no token ${id}; bluepencil token list shows them all\n`,
    })
    const acts = (await ask('events', '--json')).out
    expect(acts.match(/"does":"[\w-]+"/g)).toEqual(['"does":"revoke-token"', '"does":"make-token"'])
    expect(acts).toContain('"by":{"name":"Ana Lopes","via":"command"}')
    expect(acts).not.toContain(out.trim())
  })
})

test('two with one name are two', async () => {
  const made = configured(settings)
  await made.store()
  const add = (...more: string[]) =>
    command(['token', 'add', 'Reader', '--for', 'feeds', '--config', made.file, ...more])
  await add()
  const added = JSON.parse((await add('--json')).out)
  expect(added).toMatchObject({ name: 'Reader', use: 'feeds', token: expect.stringMatching(/^bpfeeds_/) })
  const { out } = await command(['token', 'list', '--config', made.file])
  expect(out.split('\n')).toHaveLength(3)
})

test.each([
  [['add', '  ', '--for', 'api'], 'NAME must say who or what uses the token'],
  [['add', 'Notebook'], "required option '--for <USE>' not specified"],
  [['add', 'Notebook', '--for', 'all'], 'Allowed choices are feeds, api.'],
])('%j is refused, with what to write instead', async (argv, said) => {
  const { code, notes } = await command(['token', ...argv, '--config', configured(settings).file])
  expect(code).toBe(2)
  expect(notes).toContain(said)
})

test('a token of the command opens the API of a service that runs, until it is revoked', async () => {
  const proxy = `proxy: { header: X-User, from: [192.0.2.1/32], roles: { "*": reader } }`
  const made = configured(settings.replace('port: 0 }', `port: 0 }, ${proxy}`))
  await made.store()
  const { consoleUrl } = await made.serve()
  const statusWith = async (headers: Record<string, string>) =>
    (await fetch(`${consoleUrl}api/v1/events`, { headers })).status
  const { out, notes } = await command(['token', 'add', 'x', '--for', 'api', '--config', made.file])
  const bearer = { authorization: `Bearer ${out.trim()}` }
  expect([await statusWith({}), await statusWith(bearer)]).toEqual([403, 200])
  await command(['token', 'revoke', /^tok_\w+/.exec(notes)?.[0] ?? '', '--config', made.file])
  expect(await statusWith(bearer)).toBe(401)
})

test('where there is no console yet, it says so', async () => {
  const made = configured(settings.replace(/console: .*\n/, ''))
  await made.store()
  const { code, notes } = await command(['token', 'add', 'Reader', '--for', 'feeds', '--config', made.file])
  expect(code).toBe(0)
  expect(notes).toContain('The configuration has no console yet')
})
