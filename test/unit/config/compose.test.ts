import { describe, expect, test } from 'vitest'
import { variable } from '../../../src/channels/settings.ts'
import { composeUsable, withoutFile } from '../../../src/config/compose.ts'
import { ConfigError } from '../../../src/config/error.ts'
import { rawFile } from '../../support/app.ts'

const account = {
  name: 'ana',
  password: `$scrypt$ln=15,r=8,p=3$${'A'.repeat(22)}$${'A'.repeat(43)}`,
  role: 'admin',
}
const desk = { name: 'desk', type: 'console' }
const hook = { name: 'hook', type: 'slack', to: '#desk' }
const slack = { token: 'xoxb-1-made' }

function problemsOf(compose: () => unknown): string {
  try {
    compose()
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return 'nothing is wrong'
}

describe('a file and what was made in the browser', () => {
  test('channels of both count, those of the file first', () => {
    const { channels } = rawFile({ channels: [desk] }).compose({ channels: [{ ...desk, name: 'other' }] })
    expect(channels.map(({ name }) => name)).toEqual(['desk', 'other'])
  })

  test('a section that the file has is not made elsewhere; one that it does not have is', () => {
    const made = { slack, retention: '30d', monitor: { baseUrl: 'https://made.example/v1', apiKey: 'made' } }
    const monitor = { baseUrl: 'https://file.example/v1', apiKey: 'of-the-file' }
    const config = rawFile({ channels: [desk], monitor }).compose(made)
    expect(config).toMatchObject({ monitor, slack, retention: 30 * 86_400_000 })
  })

  test('keys of one section are in both: the secrets of the file beside the address of the browser', () => {
    const secrets = ['whsec_3f9d1c7ab2e84d5f9a6c0b1e2d3f4a5b']
    const monitor = { baseUrl: 'https://file.example/v1', apiKey: 'of-the-file' }
    const file = rawFile({ channels: [desk], monitor, webhook: { secrets } })
    const { webhook } = file.compose({ publicUrl: 'https://desk.example' })
    expect(webhook).toMatchObject({ secrets, publicUrl: 'https://desk.example' })
  })

  test('a variable that was typed in the browser is text', () => {
    const name = [variable('HOME'), variable('file:/etc/passwd')].join(' and ')
    const monitor = { baseUrl: 'https://made.example/v1', apiKey: 'made', name }
    expect(rawFile({ channels: [desk] }).compose({ monitor }).monitor?.name).toBe(name)
  })

  test('a name that both have is wrong where it was made in the browser', () => {
    const text = problemsOf(() => rawFile({ channels: [desk] }).compose({ channels: [desk] }))
    expect(text).toBe(
      'made in the browser: desk.name: there is another channel called desk; names must differ',
    )
  })

  test('what is wrong in the file has its line, beside what was made', () => {
    const file = rawFile({ channels: [desk], operators: ['nobody'] })
    expect(problemsOf(() => file.compose({ channels: [{ ...desk, name: 'other' }] }))).toBe(
      'b.yaml:7:1: operators[0]: there is no channel called nobody; there are desk, other',
    )
  })

  test('accounts turn on no console that the file does not have', () => {
    expect(rawFile({ channels: [desk] }).compose({ users: [account] }).console).toBeUndefined()
    expect(rawFile({ channels: [desk], console: {} }).compose({ users: [account] }).console?.users).toEqual([
      account,
    ])
  })

  test('with console.edit: false the file stands alone', () => {
    const file = rawFile({ channels: [desk], console: { edit: false } })
    const config = file.compose({ slack, users: [account], channels: [hook] })
    expect([config.channels.length, config.slack, config.console?.users]).toEqual([1, undefined, undefined])
    expect(problemsOf(() => rawFile({ channels: [], console: { edit: false } }).compose({}))).toContain(
      'channels: is an empty list; name at least one channel',
    )
  })
})

describe('without a file', () => {
  test('nothing is configured but the console, at this machine', () => {
    const { channels, console, store } = withoutFile(undefined).compose({})
    expect({ channels, listen: console?.listen, store }).toEqual({
      channels: [],
      listen: { port: 8081 },
      store: 'file:./data',
    })
  })

  test('in a container it listens to others before there is an account, and with one; never open with channels', () => {
    const all = withoutFile('0.0.0.0')
    expect(all.compose({}).console?.listen.host).toBe('0.0.0.0')
    expect(all.compose({ users: [account], channels: [desk] }).channels).toHaveLength(1)
    expect(problemsOf(() => all.compose({ channels: [desk] }))).toContain('nobody has to sign in')
  })
})

describe('for a start', () => {
  test('what cannot be used is left out and named, with what needs it; the rest counts', () => {
    const other = { ...desk, name: 'other' }
    const made = { slack: { token: 'xapp-wrong' }, channels: [hook, other, desk], operators: ['hook'] }
    const { config, usable, problems } = composeUsable(rawFile({ channels: [desk] }), { made })
    expect(config.channels.map(({ name }) => name)).toEqual(['desk', 'other'])
    expect(usable).toEqual({ channels: [other] })
    expect(problems.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['slack.token', 'hook', 'desk.name', 'operators[0]']),
    )
  })

  test('what is wrong in the file is thrown', () => {
    expect(
      problemsOf(() => composeUsable(rawFile({ channels: [desk], chanels: [] }), { made: {} })),
    ).toContain('b.yaml:7:1: chanels: there is no such key (is channels meant?)')
  })
})
