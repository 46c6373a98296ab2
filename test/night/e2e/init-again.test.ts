import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { readConfigFile } from '../../../src/config/load.ts'
import { startSandbox } from '../../../src/service/sandbox/sandbox.ts'
import { startFakeSmtp } from '../../support/fakes/smtp.ts'
import { desk, discord, file, first, folderWith, slack, textIn } from '../../system/e2e/init-fakes.ts'
import { endAll, run } from '../../system/e2e/process.ts'
import { runHere } from '../../system/e2e/run-here.ts'

afterEach(endAll)

function readIn(folder: string) {
  const variables = parseEnv(readFileSync(join(folder, '.env'), 'utf8'))
  return { variables, config: readConfigFile(join(folder, file), variables).compose({}) }
}

test('a second and a third channel of one kind: each has its name and its variable, and nothing else changes', async () => {
  const fake = await slack()
  const folder = folderWith(desk, first)
  chmodSync(join(folder, file), 0o640)
  const args = ['init', '--add', 'channel', '--channel', 'slack-webhook']
  const webhook = ['--slack-webhook', fake.webhookUrl]
  expect(await runHere([...args, ...webhook], { cwd: folder })).toMatchObject({ code: 0, stderr: '' })
  expect(textIn(folder).startsWith(desk)).toBe(true)
  // The variable of the environment is the answer, and not what .env has for the first channel.
  const env = { SLACK_WEBHOOK_URL: `${fake.webhookUrl}` }
  expect(await runHere(args, { cwd: folder, env })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /\nconfig\/bluepencil\.yaml has the channel slack-2 now; a running serve reads it by itself\.\n$/,
    ),
  })
  const { variables, config } = readIn(folder)
  expect(config.channels.map(({ name }) => name)).toEqual(['ai-desk', 'slack', 'slack-2'])
  expect(variables).toEqual({
    SLACK_WEBHOOK_URL: 'https://hooks.slack.com/services/T0/B0/first',
    SLACK_WEBHOOK_URL_2: fake.webhookUrl,
  })
  expect(fake.requests).toHaveLength(2)
  expect(statSync(join(folder, file)).mode & 0o777).toBe(0o640)
  expect(readdirSync(join(folder, 'config'))).toEqual(['bluepencil.yaml'])
})

test('a second Slack channel goes through the bot that is there: its token is tried, and stays where it is', async () => {
  const fake = await slack()
  const yaml = `slack: { token: "\${BOT}", apiUrl: ${fake.apiUrl} }
channels:
- { name: ai-desk, type: slack, to: "#ai-desk" }
`
  const folder = folderWith(yaml, `BOT=${fake.token}\n`)
  const args = ['init', '--add', 'channel', '--channel', 'slack-bot', '--slack-channel', '#investigations']
  const { code, stdout } = await runHere(args, { cwd: folder })
  expect({ code, text: textIn(folder) }).toEqual({
    code: 0,
    text: `${yaml}- name: investigations\n  type: slack\n  to: "#investigations"\n  timeZone: UTC\n`,
  })
  expect(stdout).toContain('ok    token: @bluepencil in the workspace')
  expect(stdout).not.toContain(fake.token)
  expect(await fake.read('investigations')).toHaveLength(1)
  expect(readIn(folder).variables).toEqual({ BOT: fake.token })
  // The token cannot be answered anew.
  const other = await runHere([...args, '--slack-token', 'xoxb-other'], { cwd: folder })
  expect(other).toMatchObject({
    code: 2,
    stderr: 'bluepencil: --slack-token would have no effect beside the other options\n',
  })
})

test('a mail channel beside Slack brings its account; a second one needs recipients alone', async () => {
  const fake = await startFakeSmtp({ tls: 'none', users: { desk: 'p/a s' } })
  onTestFinished(() => fake.close())
  const folder = folderWith(desk, first)
  const args = ['init', '--add', 'channel', '--channel', 'email', '--mail-to']
  const account = [
    '--smtp-server',
    `127.0.0.1:${fake.port}`,
    '--smtp-user',
    'desk',
    '--mail-from',
    'desk@desk.example',
  ]
  const env = { SMTP_PASSWORD: 'p/a s' }
  expect(await runHere([...args, 'one@desk.example', ...account], { cwd: folder, env })).toMatchObject({
    code: 0,
    stderr: '',
  })
  expect(await runHere([...args, 'two@desk.example', '--name', 'night'], { cwd: folder })).toMatchObject({
    code: 0,
    stderr: '',
  })
  expect(fake.messages()).toMatchObject([
    { user: 'desk', to: ['one@desk.example'] },
    { to: ['two@desk.example'] },
  ])
  expect(readIn(folder).config.channels.map(({ name }) => name)).toEqual(['ai-desk', 'mail', 'night'])
})

test('what does not work changes nothing: a taken name, an account that is refused, a file that is not right', async () => {
  const fake = await discord()
  const account = `discord: { token: not-the-token-of-anybody-here, apiUrl: ${fake.url} }\n`
  const cases: [string, string[], number, string][] = [
    [
      desk,
      ['slack-webhook', '--slack-webhook', 'https://hooks.slack.com/services/T0/B0/x', '--name', 'ai-desk'],
      2,
      '--name is the name of another channel',
    ],
    [
      account + desk,
      ['discord-bot', '--discord-channel', fake.channelId],
      1,
      '--discord-token did not work; nothing was written',
    ],
    [
      desk.replace('minDelta', 'minDalta'),
      ['slack-webhook', '--slack-webhook', 'https://hooks.slack.com/services/T0/B0/x'],
      2,
      'channels[0].minDalta: there is no such key',
    ],
    [
      desk,
      [
        'slack-webhook',
        '--slack-webhook',
        'https://hooks.slack.com/services/T0/B0/x',
        '--service',
        'https://monitor.example/v1',
      ],
      2,
      '--service would have no effect',
    ],
  ]
  for (const [yaml, args, code, message] of cases) {
    const folder = folderWith(yaml, first)
    const done = await runHere(['init', '--add', 'channel', '--channel', ...args], { cwd: folder })
    expect(done).toMatchObject({ code, stderr: expect.stringContaining(message) })
    expect([textIn(folder), readFileSync(join(folder, '.env'), 'utf8')]).toEqual([yaml, first])
  }
})

test('the service is named, then changed: the key is replaced in .env, comments and other keys stay', async () => {
  const sandbox = await startSandbox({ port: 0, seed: 7 })
  onTestFinished(() => sandbox.close())
  const folder = folderWith(desk, first)
  const name = (key: string, ...more: string[]) =>
    runHere(['init', '--add', 'service', '--service', sandbox.url, '--service-key', key, ...more], {
      cwd: folder,
    })
  expect(await name('sandbox-free')).toMatchObject({ code: 0, stderr: '' })
  writeFileSync(
    join(folder, file),
    textIn(folder).replace('tier: free', 'tier: free # for now\n  name: The Monitor'),
  )
  expect(await name('sandbox-pro', '--tier', 'pro')).toMatchObject({ code: 0, stderr: '' })
  expect(textIn(folder)).toContain(
    `monitor:\n  baseUrl: ${sandbox.url}\n  apiKey: \${MONITOR_API_KEY}\n  tier: pro # for now\n  name: The Monitor\n`,
  )
  expect(textIn(folder).startsWith(desk)).toBe(true)
  expect(readIn(folder).variables).toMatchObject({ MONITOR_API_KEY: 'sandbox-pro' })
  expect(await name('of-nobody')).toMatchObject({ code: 1 })
  expect(readIn(folder).config.monitor).toMatchObject({ tier: 'pro' })
})

test('a folder that is not writable is named before anything is sent', async () => {
  const fake = await slack()
  const folder = mkdtempSync(join(tmpdir(), 'init-again-'))
  writeFileSync(join(folder, 'no-folder'), '')
  const args = ['init', '--channel', 'slack-webhook', '--slack-webhook', fake.webhookUrl]
  const to = (config: string) => runHere([...args, '--config', config], { cwd: folder })
  expect(await to('no-folder/bluepencil.yaml')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'bluepencil: no-folder/bluepencil.yaml cannot be written (EEXIST); nothing was changed\n',
  })
  mkdirSync(join(folder, 'other/.env'), { recursive: true })
  expect(await to('other/bluepencil.yaml')).toMatchObject({
    code: 1,
    stderr: 'bluepencil: other/.env cannot be read (EISDIR); nothing was changed\n',
  })
  mkdirSync(join(folder, 'closed'), { mode: 0o555 })
  const through = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : []
  const closed = await run([...args, '--config', 'closed/bluepencil.yaml'], { cwd: folder, through })
  expect(closed).toEqual({
    code: 1,
    stdout: '',
    stderr: `bluepencil: closed/bluepencil.yaml cannot be written (EACCES); nothing was changed. closed must be a folder that user ${process.getuid?.()} may write in; with docker, mount one there (-v)\n`,
  })
  expect(fake.requests).toEqual([])
  expect(readdirSync(folder).sort()).toEqual(['closed', 'no-folder', 'other'])
  // With a name of its own, a configuration has its secrets beside it.
  expect(await to('deep/er/bluepencil.yaml')).toMatchObject({ code: 0, stderr: '' })
  expect(readdirSync(join(folder, 'deep/er')).sort()).toEqual(['.env', 'bluepencil.yaml'])
  expect(
    await runHere(['test-alert', 'ai-desk', '--config', 'deep/er/bluepencil.yaml'], { cwd: folder }),
  ).toMatchObject({ code: 0 })
})

test('--add without a configuration, and an account without a terminal, are answered with what to do', async () => {
  const folder = folderWith(desk, first)
  expect(await runHere(['init', '--add', 'account'], { cwd: folder })).toMatchObject({
    code: 2,
    stderr: 'bluepencil: without a terminal, console-user makes what stands under console.users\n',
  })
  expect(
    await runHere(['init', '--add', 'channel', '--config', 'other.yaml'], { cwd: folder }),
  ).toMatchObject({
    code: 2,
    stderr: 'bluepencil: other.yaml is not there; init without --add makes it\n',
  })
})

/** Adds a channel for another program, which does this when it gets the test alert. */
async function addTool(folder: string, act: () => void) {
  const receiver = createServer((_request, response) => {
    act()
    response.end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void receiver.close())
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  const to = ['--webhook-address', `http://127.0.0.1:${port}/`, '--webhook-private', 'true']
  const env = { WEBHOOK_CHANNEL_SECRET: `whsec_${randomBytes(32).toString('base64')}` }
  const args = ['init', '--add', 'channel', '--channel', 'webhook', '--name', 'tools', ...to]
  return runHere(args, { cwd: folder, env })
}

test('an edit of the configuration or of .env while init runs is kept: nothing is written', async () => {
  const edits = {
    [file]: `${desk}log: debug\n`,
    '.env': `${first}SLACK_WEBHOOK_URL_2=https://hooks.slack.com/services/T0/B0/of-another\n`,
  }
  for (const [edited, text] of Object.entries(edits)) {
    const folder = folderWith(desk, first)
    const done = await addTool(folder, () => writeFileSync(join(folder, edited), text))
    expect(done).toMatchObject({
      code: 1,
      stderr: `bluepencil: ${edited} was changed meanwhile; nothing was written. Run init again\n`,
    })
    const written = { [file]: desk, '.env': first, [edited]: text }
    expect({ [file]: textIn(folder), '.env': readFileSync(join(folder, '.env'), 'utf8') }).toEqual(written)
  }
})

test('what is reported of an address names no channel: its name is asked for later', async () => {
  const { code, stdout } = await addTool(folderWith(desk, first), () => {})
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('sent to tools') })
  expect(stdout).not.toContain('ai-desk')
})

test('a key in .env is replaced only if the service of the file names it; an emptied address leaves the file', async () => {
  const sandbox = await startSandbox({ port: 0, seed: 7 })
  onTestFinished(() => sandbox.close())
  const other = `${first}MONITOR_API_KEY=of-another-program\n`
  const monitor = (key: string, tier: string) =>
    `${desk}monitor:\n  baseUrl: ${sandbox.url}\n  apiKey: ${key}\n  tier: ${tier}\n`
  const webhook = 'webhook:\n  publicUrl: https://alerts.desk.example # ours\n'
  const folder = folderWith(monitor('of-the-desk', 'free') + webhook, other)
  const name = (key: string, ...more: string[]) =>
    runHere(['init', '--add', 'service', '--service', sandbox.url, '--service-key', key, ...more], {
      cwd: folder,
    })
  expect(await name('sandbox-free', '--public-url', '')).toMatchObject({ code: 0, stderr: '' })
  expect(await name('sandbox-pro', '--tier', 'pro')).toMatchObject({ code: 0, stderr: '' })
  expect(readFileSync(join(folder, '.env'), 'utf8')).toBe(`${other}MONITOR_API_KEY_2=sandbox-pro\n`)
  expect(textIn(folder)).toBe(monitor(`\${MONITOR_API_KEY_2}`, 'pro'))
})
