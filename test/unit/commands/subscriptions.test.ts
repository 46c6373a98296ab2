import { describe, expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../../src/service/sandbox/sandbox.ts'
import { command } from '../../support/command.ts'
import { configured } from '../../support/served.ts'
import { startScriptedService } from '../service/client/scripted-service.ts'

const url = 'https://desk.example/webhook'

/** A sandbox, and a desk that may subscribe there. */
async function opened({ apiKey = 'sandbox-enterprise', more = '' }: Settings = {}) {
  const sandbox = await startSandbox({ port: 0, seed: 7 })
  onTestFinished(() => sandbox.close())
  const { file } = configured(
    `monitor: { baseUrl: "${sandbox.url}", apiKey: ${apiKey}, tier: 10000 }
${more}
channels: [{ name: desk, type: console, models: [claude], events: [policy_change] }]
`,
  )
  return (...argv: string[]) => command(['subscriptions', ...argv, '--config', file])
}

interface Settings {
  apiKey?: string
  more?: string
}

describe('subscriptions create', () => {
  test('asks for what the channels want, and shows the secret once', async () => {
    const ask = await opened()
    const { code, out, notes } = await ask('create', '--url', url)
    expect({ code, notes }).toEqual({ code: 0, notes: '' })
    const [, id, secret] = /^(wh_\w+) delivers to (?:.*)\n.*\n(whsec_\S+)\n$/.exec(out) ?? []
    expect(secret).toBeDefined()
    expect(await ask('list')).toEqual({
      code: 0,
      out: `${id}  active  ${url}  policy_change · claude\n`,
      notes: '',
    })
  })

  test('is, for machines, one document with the secret', async () => {
    const ask = await opened()
    const { code, out } = await ask('create', '--url', url, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      id: expect.stringMatching(/^wh_/),
      url,
      events: ['policy_change'],
      models: ['claude'],
      secret: expect.stringMatching(/^whsec_/),
    })
  })

  test('takes the address from webhook.publicUrl where none is given', async () => {
    const ask = await opened({ more: 'webhook: { publicUrl: "https://desk.example" }' })
    expect((await ask('create')).out).toMatch(/^wh_\w+ delivers to https:\/\/desk\.example\/webhook\.$/m)
  })

  test.each([undefined, 'whsec_****'])('fails where the service shows %s as the secret', async (shown) => {
    const service = await startScriptedService()
    onTestFinished(() => service.close())
    service.writeOne = ({ secret: _hidden, ...rest }) => ({ ...rest, secret: shown })
    const { file } = configured(
      `monitor: { baseUrl: "${service.baseUrl}", apiKey: key-of-the-desk-4711, tier: 10000 }
channels: [{ name: desk, type: console }]
`,
    )
    const create = ['subscriptions', 'create', '--url', url, '--config', file]
    const words = await command(create)
    expect(words).toMatchObject({ code: 1, notes: expect.stringContaining('did not show the secret of wh_') })
    const { code, out } = await command([...create, '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({ id: expect.stringMatching(/^wh_/), secret: null })
  })

  test.each([
    ['desk.example/webhook', 'is not an address; write one such as https://desk.example/webhook'],
    ['ftp://desk.example', 'is not an address; write one such as https://desk.example/webhook'],
    ['https://me:pass@desk.example/', 'has a user name or a password in it; leave them out'],
  ])('refuses %s without asking the service', async (wrong, why) => {
    const ask = await opened()
    expect(await ask('create', '--url', wrong)).toEqual({
      code: 2,
      out: '',
      notes: `bluepencil: --url ${why}\n`,
    })
    expect((await ask('list', '--json')).out).toBe('[]\n')
  })

  test('says what to give where there is no address', async () => {
    const ask = await opened()
    expect(await ask('create')).toEqual({
      code: 2,
      out: '',
      notes: 'bluepencil: no address for deliveries: give --url, or set webhook.publicUrl\n',
    })
  })
})

describe('subscriptions list', () => {
  test('says, in words and for machines, that there is none', async () => {
    const ask = await opened()
    expect(await ask('list')).toEqual({
      code: 0,
      out: '',
      notes: 'The service has no subscriptions for this key.\n',
    })
    expect(await ask('list', '--json')).toEqual({ code: 0, out: '[]\n', notes: '' })
  })

  test('never shows a secret', async () => {
    const ask = await opened()
    const { secret } = JSON.parse((await ask('create', '--url', url, '--json')).out)
    const { out } = await ask('list', '--json')
    expect(JSON.parse(out)).toMatchObject([
      { url, events: ['policy_change'], models: ['claude'], status: 'active' },
    ])
    expect(out).not.toContain(secret)
    expect(out).not.toContain('"secret"')
  })

  test('fails with what the service said where the key may not', async () => {
    const ask = await opened({ apiKey: 'sandbox-readonly' })
    const { code, out, notes } = await ask('list')
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(notes).toMatch(/^bluepencil: GET \S+\/webhooks answered 403: .*\n$/)
    expect(notes).not.toContain('sandbox-readonly')
  })
})

describe('subscriptions delete', () => {
  test('ends the one that is named, and no other', async () => {
    const ask = await opened()
    const ids: string[] = []
    for (const _ of [1, 2, 3]) ids.push(JSON.parse((await ask('create', '--url', url, '--json')).out).id)
    const [first = '', second = '', third = ''] = ids
    expect(await ask('delete', first)).toEqual({ code: 0, out: `${first} is deleted.\n`, notes: '' })
    const machine = await ask('delete', second, '--json')
    expect({ ...machine, out: JSON.parse(machine.out) }).toEqual({
      code: 0,
      out: { deleted: second },
      notes: '',
    })
    expect((await ask('list')).out.match(/wh_\w+/g)).toEqual([third])
  })

  test('fails where there is no such subscription', async () => {
    const ask = await opened()
    const { code, out, notes } = await ask('delete', 'wh_nope')
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(notes).toContain('answered 404')
  })

  test('is a usage error without an id', async () => {
    const ask = await opened()
    expect(await ask('delete')).toMatchObject({
      code: 2,
      out: '',
      notes: expect.stringContaining("missing required argument 'id'"),
    })
  })
})

test.each([['list'], ['create', '--url', url], ['delete', 'wh_1']])(
  'subscriptions %s needs monitor in the configuration',
  async (...argv) => {
    const { file } = configured('channels: [{ name: desk, type: console }]\n')
    expect(await command(['subscriptions', ...argv, '--config', file])).toEqual({
      code: 2,
      out: '',
      notes: `bluepencil: ${file}: monitor: is missing; set monitor.baseUrl and monitor.apiKey or monitor.oauth\n`,
    })
  },
)

test('subscriptions works beside a running service, and shows what that made', async () => {
  const sandbox = await startSandbox({ port: 0, seed: 7 })
  onTestFinished(() => sandbox.close())
  const desk = configured(
    `monitor: { baseUrl: "${sandbox.url}", apiKey: sandbox-enterprise, tier: 10000 }
webhook: { publicUrl: "http://127.0.0.1:9/webhook" }
polling: { mode: "off" }
channels: [{ name: desk, type: console }]
`,
  )
  await desk.serve()
  const list = () => command(['subscriptions', 'list', '--config', desk.file])
  await expect
    .poll(async () => (await list()).out)
    .toMatch(/^wh_\w+ {2}active {2}http:\/\/127\.0\.0\.1:9\/webhook {2}/)
})
