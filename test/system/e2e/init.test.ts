import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { readConfigFile } from '../../../src/config/load.ts'
import { startSandbox } from '../../../src/service/sandbox/sandbox.ts'
import { startReceiver } from '../../support/fakes/receiver.ts'
import { startFakeSmtp } from '../../support/fakes/smtp.ts'
import { freePort } from '../../support/free-port.ts'
import { discord, slack } from './init-fakes.ts'
import { endAll, run, start } from './process.ts'
import { runHere } from './run-here.ts'

afterEach(endAll)

function emptyFolder(): string {
  return mkdtempSync(join(tmpdir(), 'init-'))
}

/** In this process. */
async function init(cwd: string, args: readonly string[], env: Record<string, string> = {}) {
  return runHere(['init', ...args], { cwd, env })
}

/** As a process of its own, as operators run it. */
async function initAlone(cwd: string, args: readonly string[], env: Record<string, string> = {}) {
  return run(['init', ...args], { cwd, env: { TZ: 'Europe/Berlin', ...env } })
}

/** What was written, read as `serve` reads it. */
function writtenIn(folder: string) {
  const variables = parseEnv(readFileSync(join(folder, '.env'), 'utf8'))
  return { variables, config: readConfigFile(join(folder, 'config/bluepencil.yaml'), variables).compose({}) }
}

const isTest = 'TEST, not a real alert: Claude refused 30% of political prompts'

test('a Slack webhook and nothing else: the test alert is there, and both files', async () => {
  const fake = await slack()
  const folder = emptyFolder()
  const { code, stdout, stderr } = await initAlone(folder, [
    '--channel',
    'slack-webhook',
    '--slack-webhook',
    fake.webhookUrl,
  ])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(fake.requests.map(({ method }) => method)).toEqual(['webhook'])
  expect(fake.requests[0]?.raw).toContain(isTest)
  expect(stdout).not.toContain(fake.webhookUrl)
  expect(readFileSync(join(folder, 'config/bluepencil.yaml'), 'utf8')).not.toContain(fake.webhookUrl)
  expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600)
  expect(writtenIn(folder).config.channels).toEqual([
    expect.objectContaining({ name: 'ai-desk', type: 'slack', timeZone: 'Europe/Berlin' }),
  ])
  expect(readdirSync(folder).sort()).toEqual(['.env', 'config'])
})

test('what it wrote is enough for test-alert and check, without a variable in the environment', async () => {
  const fake = await slack()
  const folder = emptyFolder()
  await init(folder, ['--channel', 'slack-webhook'], { SLACK_WEBHOOK_URL: fake.webhookUrl })
  const sent = await run(['test-alert', 'ai-desk'], { cwd: folder })
  expect(sent).toMatchObject({ code: 0, stderr: '' })
  expect(fake.requests).toHaveLength(2)
  expect((await runHere(['check'], { cwd: folder })).stdout).toContain(
    'config/bluepencil.yaml is right; 1 channel',
  )
})

test('a Slack bot: token and channel are tried, and the token stands in .env alone', async () => {
  const fake = await slack()
  const folder = emptyFolder()
  const { code, stdout } = await init(folder, [
    '--channel',
    'slack-bot',
    '--slack-token',
    fake.token,
    '--slack-channel',
    '#ai-desk',
    '--slack-api',
    fake.apiUrl,
  ])
  expect(code).toBe(0)
  expect(stdout).toContain('ok    token: @bluepencil in the workspace "Newsroom".')
  expect(stdout).toContain('ok    channel: @bluepencil is in #ai-desk')
  expect(JSON.stringify(await fake.read('ai-desk'))).toContain(isTest)
  expect(writtenIn(folder).variables).toEqual({ SLACK_BOT_TOKEN: fake.token })
})

test('operators may have a channel of their own, which is tried too and gets trouble alone', async () => {
  const fake = await slack()
  const folder = emptyFolder()
  const channel = ['--channel', 'slack-bot', '--slack-token', fake.token, '--slack-api', fake.apiUrl]
  const to = (operators: string) => ['--slack-channel', '#ai-desk', '--operators', operators]
  const wrong = await init(folder, [...channel, ...to('#nowhere')])
  expect(wrong.code).toBe(1)
  expect(wrong.stderr).toContain('--operators did not work; nothing was written')
  expect(await init(folder, [...channel, ...to('#investigations')])).toMatchObject({ code: 0, stderr: '' })
  for (const name of ['ai-desk', 'investigations'])
    expect(JSON.stringify(await fake.read(name))).toContain(isTest)
  const { config } = writtenIn(folder)
  expect(config.operators).toEqual(['operators'])
  expect(config.channels).toMatchObject([
    { name: 'ai-desk', to: '#ai-desk' },
    { name: 'operators', to: '#investigations', events: [] },
  ])
})

test('a Discord webhook', async () => {
  const fake = await discord()
  const folder = emptyFolder()
  const { code } = await init(folder, ['--channel', 'discord-webhook', '--discord-webhook', fake.webhookUrl])
  expect(code).toBe(0)
  expect(JSON.stringify(fake.posted(fake.channelId))).toContain(isTest)
  expect(writtenIn(folder).variables).toEqual({ DISCORD_WEBHOOK_URL: fake.webhookUrl })
})

test('a Discord bot', async () => {
  const fake = await discord()
  const folder = emptyFolder()
  const { code } = await init(folder, [
    '--channel',
    'discord-bot',
    '--discord-token',
    fake.token,
    '--discord-channel',
    fake.channelId,
    '--discord-api',
    fake.url,
  ])
  expect(code).toBe(0)
  expect(JSON.stringify(fake.posted(fake.channelId))).toContain(isTest)
  expect(writtenIn(folder).config.discord?.token).toBe(fake.token)
})

test('e-mail, with a password of characters that mean something elsewhere', async () => {
  const password = `p/a:s"s'w@r d#%$\`{`
  const fake = await startFakeSmtp({ tls: 'none', users: { 'desk@desk.example': password } })
  onTestFinished(() => fake.close())
  const folder = emptyFolder()
  const { code, stdout } = await init(folder, [
    '--channel',
    'email',
    '--smtp-server',
    `127.0.0.1:${fake.port}`,
    '--smtp-user',
    'desk@desk.example',
    '--smtp-password',
    password,
    '--mail-to',
    'one@desk.example, two@desk.example',
  ])
  expect(code).toBe(0)
  expect(stdout).not.toContain(password)
  expect(fake.messages()).toMatchObject([
    { user: 'desk@desk.example', to: ['one@desk.example'] },
    { user: 'desk@desk.example', to: ['two@desk.example'] },
  ])
  const { config } = writtenIn(folder)
  expect(config.email?.smtp.auth).toEqual({ user: 'desk@desk.example', pass: password })
  expect(config.email?.from).toEqual({ name: 'Bluepencil', address: 'desk@desk.example' })
})

test('another program: the test arrives signed with a secret that was made for it', async () => {
  const fake = await startReceiver()
  onTestFinished(() => fake.close())
  const folder = emptyFolder()
  const { code, stdout } = await init(folder, [
    '--channel',
    'webhook',
    '--webhook-private',
    'true',
    '--webhook-address',
    `${fake.origin}/hooks`,
  ])
  expect(code).toBe(0)
  expect(stdout).not.toContain(`${fake.origin}/hooks`)
  const { variables, config } = writtenIn(folder)
  expect(config.channels).toEqual([expect.objectContaining({ type: 'webhook', allowPrivate: true })])
  const [received] = fake.received
  const headers = Object.entries(received?.headers ?? {}).map(
    ([name, value]) => [name, String(value)] as const,
  )
  const verifier = new Webhook(variables.WEBHOOK_CHANNEL_SECRET ?? '')
  expect(verifier.verify(received?.raw ?? '', Object.fromEntries(headers))).toMatchObject({ type: 'test' })
  expect(fake.received).toHaveLength(1)
})

test('with the service and a public address that leads here, serve subscribes and an alert arrives', async () => {
  const sandbox = await startSandbox({ port: 0, seed: 7 })
  onTestFinished(() => sandbox.close())
  const fake = await slack()
  const folder = emptyFolder()
  const port = await freePort()
  const { code, stdout } = await initAlone(folder, [
    '--channel',
    'slack-webhook',
    '--slack-webhook',
    fake.webhookUrl,
    '--service',
    sandbox.url,
    '--service-key',
    'sandbox-pro',
    '--tier',
    'pro',
    '--public-url',
    `http://127.0.0.1:${port}`,
    '--port',
    String(port),
  ])
  expect(stdout).toContain('ok    key: ')
  expect(stdout).toContain(`ok    public address: http://127.0.0.1:${port}/webhook leads to this machine`)
  expect(code).toBe(0)
  const serving = start(['serve'], { cwd: folder })
  await vi.waitUntil(() => serving.log().some(({ message }) => message === 'subscription'), {
    timeout: 20_000,
  })
  sandbox.fire({ type: 'censorship_spike', model: 'claude', category: 'political', delta: 12 })
  await vi.waitUntil(() => fake.requests.length === 2, { timeout: 20_000 })
  expect(fake.requests[1]?.raw).toContain('Reported by the Censorship Monitoring Service')
  serving.kill()
  expect(await serving.ended).toBe(0)
})

test('a public address that does not lead here is said, and does not end it', async () => {
  const sandbox = await startSandbox({ port: 0, seed: 7 })
  onTestFinished(() => sandbox.close())
  const fake = await slack()
  const folder = emptyFolder()
  const other = createServer((_request, response) => response.end('hello'))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  const address = other.address()
  const elsewhere = typeof address === 'object' ? address?.port : undefined
  const port = await freePort()
  const { code, stdout } = await init(folder, [
    '--channel',
    'slack-webhook',
    '--slack-webhook',
    fake.webhookUrl,
    '--service',
    sandbox.url,
    '--service-key',
    'sandbox-pro',
    '--public-url',
    `http://127.0.0.1:${elsewhere}`,
    '--port',
    String(port),
  ])
  expect(stdout).toContain(
    `warn  public address: http://127.0.0.1:${elsewhere}/webhook is answered by something else (status 200): does a proxy there pass it on to port ${port} of this machine?`,
  )
  expect(code).toBe(0)
})

test.each([
  [
    'a token that Slack refuses',
    ['--slack-token', 'xoxb-wrong', '--slack-channel', '#ai-desk'],
    'slack-token',
  ],
  ['a channel that is not there', ['--slack-channel', '#nowhere'], 'slack-channel'],
])('%s ends it: nothing is sent, nothing is written, no secret is shown', async (_what, args, flag) => {
  const fake = await slack()
  const folder = emptyFolder()
  const { code, stdout, stderr } = await init(
    folder,
    ['--channel', 'slack-bot', '--slack-api', fake.apiUrl, ...args],
    { SLACK_BOT_TOKEN: fake.token },
  )
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `bluepencil: --${flag} did not work; nothing was written\n`,
  })
  expect(stdout).toMatch(/FAIL {2}(token|channel): \S+/)
  expect(stdout).not.toMatch(/xoxb-(wrong|secret)/)
  expect(fake.requests.map(({ method }) => method)).not.toContain('chat.postMessage')
  expect(readdirSync(folder)).toEqual([])
})

test('a webhook that Slack does not know shows with the test alert, and nothing is written', async () => {
  const fake = await slack()
  const folder = emptyFolder()
  const { code, stdout } = await init(folder, [
    '--channel',
    'slack-webhook',
    '--slack-webhook',
    `${fake.webhookUrl}x`,
  ])
  expect(code).toBe(1)
  expect(stdout).toContain('FAIL  test alert: ai-desk did not accept it: ')
  expect(readdirSync(folder)).toEqual([])
})

test('a key that the service does not accept, and one without webhooks', async () => {
  const sandbox = await startSandbox({ port: 0, seed: 7 })
  onTestFinished(() => sandbox.close())
  const fake = await slack()
  for (const key of ['of-nobody-0123456789', 'sandbox-readonly']) {
    const folder = emptyFolder()
    const { code, stdout, stderr } = await init(folder, [
      '--channel',
      'slack-webhook',
      '--slack-webhook',
      fake.webhookUrl,
      '--service',
      sandbox.url,
      '--service-key',
      key,
    ])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'bluepencil: --service-key did not work; nothing was written\n',
    })
    expect(stdout).toMatch(/FAIL {2}key: GET \S+ answered 40[13]: /)
    expect(stdout).not.toContain(key)
  }
  expect(fake.requests).toEqual([])
})

/** What a person forgot, or wrote wrong, and what they read. */
const mistakes: [string[], string][] = [
  [[], 'without a terminal nobody can be asked (with docker: run -it); give --channel'],
  [
    ['--channel', 'slack-bot'],
    'without a terminal nobody can be asked (with docker: run -it); give --slack-token (or SLACK_BOT_TOKEN in the environment) and --slack-channel',
  ],
  [
    ['--channel', 'email', '--smtp-server', 'mail.desk.example'],
    'without a terminal nobody can be asked (with docker: run -it); give --mail-from and --mail-to',
  ],
  [
    [
      '--channel',
      'slack-webhook',
      '--slack-webhook',
      'https://hooks.slack.com/services/T0/B0/abc',
      '--slack-channel',
      '#x',
      '--public-url',
      'https://desk.example',
    ],
    '--slack-channel and --public-url would have no effect beside the other options',
  ],
  [
    ['--channel', 'pigeon'],
    '--channel must be one of slack-webhook, slack-bot, discord-webhook, discord-bot, email, webhook',
  ],
  [
    ['--channel', 'slack-bot', '--slack-token', 'xoxb-1', '--slack-channel', 'ai-desk'],
    '--slack-channel is not a Slack channel; write its name with the #, such as "#ai-desk", or its id, such as C0123456789',
  ],
]

test('a usage error names the option, and nothing is written', async () => {
  const folder = emptyFolder()
  const answers: unknown[] = []
  for (const [args] of mistakes) answers.push({ args, ...(await init(folder, args)) })
  expect(answers).toEqual(
    mistakes.map(([args, message]) => ({ args, code: 2, stdout: '', stderr: `bluepencil: ${message}\n` })),
  )
  expect(readdirSync(folder)).toEqual([])
})

test('what is there is replaced only with --overwrite, and lines of others in .env stay', async () => {
  const fake = await slack()
  const folder = emptyFolder()
  const args = ['--channel', 'slack-webhook', '--slack-webhook', fake.webhookUrl]
  const file = join(folder, 'config/bluepencil.yaml')
  const variables = '# ours\nOTHER=1\nSLACK_WEBHOOK_URL=https://old.example/x\n'
  writeFileSync(join(folder, '.env'), variables, { mode: 0o644 })
  mkdirSync(join(folder, 'config'))
  writeFileSync(file, 'mine')
  expect(await init(folder, args)).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'bluepencil: config/bluepencil.yaml is there already; --add channel adds a channel to it, --overwrite replaces it\n',
  })
  expect(readFileSync(file, 'utf8')).toBe('mine')
  expect(readFileSync(join(folder, '.env'), 'utf8')).toBe(variables)
  expect(fake.requests).toEqual([])
  expect((await init(folder, [...args, '--overwrite'])).code).toBe(0)
  expect(readFileSync(join(folder, '.env'), 'utf8')).toBe(
    `# ours\nOTHER=1\nSLACK_WEBHOOK_URL=${fake.webhookUrl}\n`,
  )
  expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600)
})

test('a variable that another program has keeps its value: the secret gets another name', async () => {
  const fake = await slack()
  const folder = emptyFolder()
  writeFileSync(join(folder, '.env'), 'SLACK_WEBHOOK_URL=https://old.example/x\n')
  const args = ['--channel', 'slack-webhook', '--slack-webhook', fake.webhookUrl]
  expect(await init(folder, args)).toMatchObject({ code: 0, stderr: '' })
  const { variables, config } = writtenIn(folder)
  expect(variables).toEqual({
    SLACK_WEBHOOK_URL: 'https://old.example/x',
    SLACK_WEBHOOK_URL_2: fake.webhookUrl,
  })
  expect(config.channels[0]).toMatchObject({ webhookUrl: fake.webhookUrl })
})

test('where the configuration cannot be written, .env is not there either', async () => {
  const folder = emptyFolder()
  // Not too long for a name, but for that of the file that takes its place.
  const file = `${'x'.repeat(250)}.yaml`
  const { code, stderr } = await init(folder, [
    '--channel',
    'slack-webhook',
    '--slack-webhook',
    'https://hooks.slack.com/services/T0/B0/abc',
    '--no-try',
    '--config',
    file,
  ])
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `bluepencil: ${file} cannot be written (ENAMETOOLONG); nothing was changed\n`,
  })
  expect(readdirSync(folder)).toEqual([])
})

test('--no-try asks nobody', async () => {
  const folder = emptyFolder()
  const url = 'http://127.0.0.1:9/services/T0/B0/abc'
  const args = ['--channel', 'slack-webhook', '--slack-webhook', url, '--no-try', '--name', 'night-desk']
  const { code, stdout } = await init(folder, args)
  expect(code).toBe(0)
  expect(stdout).not.toContain('Trying')
  expect(writtenIn(folder).config.operators).toEqual(['night-desk'])
})
