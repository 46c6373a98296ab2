import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError } from '../../../src/config/error.ts'
import { configJsonSchema } from '../../../src/config/json-schema.ts'
import { parseConfigFile } from '../../../src/config/load.ts'
import { ConfigForAsking } from '../../../src/config/schema.ts'
import { secretsOf } from '../../../src/config/secrets.ts'

const smallest = 'channels:\n  - name: desk\n    type: console\n'

function complaint(text: string, environment: Record<string, string> = {}): string {
  try {
    parseConfigFile(text, 'b.yaml', environment).compose({})
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return 'nothing'
}

describe('a configuration', () => {
  test('needs no more than a channel', () => {
    expect(parseConfigFile(smallest, 'b.yaml', {}).compose({})).toMatchObject({
      store: 'file:./data',
      retention: 90 * 86_400_000,
      server: { host: '0.0.0.0', port: 8080, basePath: '' },
      webhook: { path: '/webhook', secrets: [], signature: {} },
      channels: [{ name: 'desk', type: 'console', direction: 'both', timeZone: 'UTC' }],
    })
  })

  test('the example in the repository is right, and all that it wants are variables', () => {
    const text = readFileSync('config/bluepencil.example.yaml', 'utf8')
    const names = ['MONITOR_API_KEY', 'SLACK_BOT_TOKEN', 'DISCORD_BOT_TOKEN', 'SMTP_USER', 'SMTP_PASSWORD']
    const config = parseConfigFile(
      text,
      'b.yaml',
      Object.fromEntries(names.map((name) => [name, `my-${name}`])),
    ).compose({})
    expect(config.channels.map(({ type }) => type)).toEqual(['slack', 'discord', 'email'])
    expect(secretsOf(config)).toEqual(
      expect.arrayContaining(['my-MONITOR_API_KEY', 'my-SLACK_BOT_TOKEN', 'my-SMTP_PASSWORD']),
    )
  })

  test('takes variables, defaults, files and a literal ${', () => {
    const secret = join(mkdtempSync(join(tmpdir(), 'bluepencil-')), 'secret')
    writeFileSync(secret, 'whsec_read_from_a_file\n')
    const text = `${smallest}webhook: { secrets: ["\${file:${secret}}", "\${A}", "\${B:-the-default-of-b}", "$\${literal}-and-a-secret"] }\nserver: { port: "\${PORT}" }`
    const config = parseConfigFile(text, 'b.yaml', {
      A: 'a-value-of-a-variable',
      PORT: '9000',
      B: '',
    }).compose({})
    expect(config.webhook.secrets).toEqual([
      'whsec_read_from_a_file',
      'a-value-of-a-variable',
      'the-default-of-b',
      `\${literal}-and-a-secret`,
    ])
    expect(config.server.port).toBe(9000)
  })

  test('needs no channel where the service is only asked, and is as strict about everything else', () => {
    const monitor = 'monitor: { baseUrl: https://service.example/v1, apiKey: k }\n'
    expect(parseConfigFile(monitor, 'b.yaml', {}, ConfigForAsking).compose({}).channels).toEqual([])
    expect(complaint(monitor)).toBe('b.yaml:1:1: channels: is missing')
    expect(() =>
      parseConfigFile(`${monitor}operators: [desk]\n`, 'b.yaml', {}, ConfigForAsking).compose({}),
    ).toThrow(/^b\.yaml:2:13: operators\[0\]: there is no channel called desk/)
    const misspelt = `${monitor}chanels: []\n`
    expect(() => parseConfigFile(misspelt, 'b.yaml', {}, ConfigForAsking).compose({})).toThrow(
      /^b\.yaml:2:1: chanels: /,
    )
  })

  test('its JSON schema in the repository is the one that the program has', () => {
    expect(JSON.parse(readFileSync('config/bluepencil.schema.json', 'utf8'))).toEqual(
      JSON.parse(JSON.stringify(configJsonSchema())),
    )
  })
})

describe('a wrong configuration names file, line, key and what to write instead', () => {
  test.each([
    ['channels: [', /^b\.yaml:1:\d+: is not YAML: /],
    ['', 'b.yaml: channels: is missing'],
    [
      `${smallest}chanels: []\n`,
      'b.yaml:4:1: chanels: there is no such key (is channels meant?); there are monitor, webhook, polling, server, store, retention, figures, copies, log, slack, discord, email, chat, console, operators, heartbeat, channels',
    ],
    [
      `${smallest}    minDelt: 5\n`,
      'b.yaml:4:5: channels[0].minDelt: there is no such key (is minDelta meant?); there are name, models, events, categories, minDelta, direction, timeZone, language, quiet, digest, stories, escalate, fixed, statusReport, type, as',
    ],
    [`${smallest}    minDelta: five\n`, /^b\.yaml:4:15: channels\[0\]\.minDelta: must be a number alone/],
    [
      `${smallest}    models: [claud]\n`,
      'b.yaml:4:14: channels[0].models[0]: claud is not one of chatgpt, claude, gemini, mistral, qwen',
    ],
    [
      `${smallest}    timeZone: Berlin\n`,
      'b.yaml:4:15: channels[0].timeZone: is not a time zone; write one such as Europe/Berlin or UTC',
    ],
    [
      `${smallest}operators: [desc]\n`,
      'b.yaml:4:13: operators[0]: there is no channel called desc; there are desk',
    ],
    [
      `${smallest}  - name: desk\n    type: console\n`,
      'b.yaml:4:11: channels[1].name: there is another channel called desk; names must differ',
    ],
    [`${smallest}retention: 2d\n`, 'b.yaml:4:12: retention: must be from 14d to 3650d'],
    [
      `${smallest}store: mysql://x\n`,
      'b.yaml:4:8: store: must be file: and a folder, such as file:./data, or the address of a database, postgres://user:password@host/name',
    ],
    [
      `${smallest}server: { port: 99999 }\n`,
      'b.yaml:4:17: server.port: must be a whole number from 0 to 65535',
    ],
    [
      `${smallest}webhook:\n  publicUrl: https://x.example\n`,
      'b.yaml:5:14: webhook.publicUrl: needs monitor.baseUrl and monitor.apiKey or monitor.oauth, to subscribe with',
    ],
    [
      `${smallest}monitor: { baseUrl: "https://m.example/v1" }\n`,
      'b.yaml:4:10: monitor.apiKey: is missing; write monitor.apiKey, or monitor.oauth instead',
    ],
    [
      `${smallest}monitor: { baseUrl: "https://m.example/v1", apiKey: k, oauth: { tokenUrl: "https://m.example/t", clientId: a, clientSecret: b } }\n`,
      'b.yaml:4:63: monitor.oauth: is set together with monitor.apiKey; keep one of the two',
    ],
    [
      `${smallest}monitor: { baseUrl: "https://m.example/v1", oauth: { tokenUrl: "http://m.example/t", clientId: a, clientSecret: b } }\n`,
      'b.yaml:4:64: monitor.oauth.tokenUrl: must be https; http is for this machine only',
    ],
    [
      `${smallest}monitor: { baseUrl: "https://m.example/v1", apiKey: k, tier: gold }\n`,
      'b.yaml:4:62: monitor.tier: is not a plan; write free, researcher or pro, or the requests per hour as a number of at least 20',
    ],
    [
      'channels:\n  - { name: s, type: slack, to: "#x" }\n',
      'b.yaml:2:5: channels[0]: needs slack.token (a bot token, xoxb-…), or webhookUrl instead of to',
    ],
    [
      'channels:\n  - { name: e, type: email, to: a@b.example }\n',
      'b.yaml:2:5: channels[0]: needs email.smtp and email.from',
    ],
    [
      'channels:\n  - { name: e, type: fax }\n',
      /^b\.yaml:2:\d+: channels\[0\]\.type: .*slack.*discord.*email.*console/,
    ],
    [
      `${smallest}monitor: { baseUrl: "https://m.example/v1", apiKey: "\${KEY}" }\n`,
      'b.yaml:4:53: the environment variable KEY is not set',
    ],
    [
      `${smallest}monitor: { baseUrl: "https://m.example/v1", apiKey: "\${file:missing}" }\n`,
      'b.yaml:4:53: the file missing is not there',
    ],
  ])('%j', (text, message) => {
    expect(complaint(text)).toMatch(
      message instanceof RegExp ? message : new RegExp(`^${RegExp.escape(message)}$`),
    )
  })

  test('an alias without an anchor, which may be half a secret', () => {
    const message = complaint(`${smallest}webhook: { secrets: [*s3cr3tvalue] }\n`)
    expect(message).toBe(
      'b.yaml:4:22: has an alias (*name) that has no anchor (&name), or too many of them; quote text that begins with *',
    )
  })

  test('never with a secret in it', () => {
    const text = `${smallest}email: { smtp: "smtp://me:hunter2secret@", from: x }\nslack: { token: 5 }\nmonitor: { apiKey: "\${KEY}" }`
    expect(complaint(text, { KEY: 'planted-secret-key' })).not.toMatch(/hunter2secret|planted-secret-key/)
  })
})

test('the client of the service is read: OAuth instead of a key, a tier by number', () => {
  const text = `${smallest}monitor:
  baseUrl: https://m.example/v1
  tier: "\${TIER}"
  oauth: { tokenUrl: https://m.example/token/, clientId: desk, clientSecret: "\${SECRET}" }
`
  const config = parseConfigFile(text, 'b.yaml', { TIER: '50000', SECRET: 'hunter2secret' }).compose({})
  expect(config.monitor).toMatchObject({
    tier: 50_000,
    rates: 'auto',
    oauth: { tokenUrl: 'https://m.example/token/', clientId: 'desk', clientSecret: 'hunter2secret' },
  })
  expect(secretsOf(config)).toContain('hunter2secret')
})
