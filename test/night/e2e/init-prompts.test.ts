import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../../src/service/sandbox/sandbox.ts'
import { startFakeDiscord } from '../../support/fakes/discord.ts'
import { startSlack } from '../../support/fakes/slack-proxy.ts'
import { startFakeSmtp } from '../../support/fakes/smtp.ts'
import { freePort } from '../../support/free-port.ts'
import { atTerminal } from '../../support/pty.ts'
import { down, emptyFolder, enter, init, interrupt, record, recorded, up } from '../../system/e2e/prompts.ts'

test('from an empty folder to a first alert in Discord', async () => {
  const discord = await startFakeDiscord()
  onTestFinished(() => discord.close())
  const folder = emptyFolder()
  const session = init(folder)
  await session.answer(/Where should alerts go/, down + down + enter)
  await session.answer(/Address of the webhook/, discord.webhookUrl + enter)
  await session.answer(/Who is notified of trouble/, enter)
  await session.answer(/Address of the monitoring service/, enter)
  expect(await session.ended).toBe(0)
  expect(discord.posted(discord.channelId)).toHaveLength(1)
  await expect(recorded(session.screen(), [/\d{17,20}/g, '1180000000000000001'])).toMatchFileSnapshot(
    record('discord'),
  )
})

test('from an empty folder to a first alert by e-mail', async () => {
  const smtp = await startFakeSmtp({ tls: 'none', users: { 'desk@desk.example': 'p/a s"s' } })
  onTestFinished(() => smtp.close())
  const folder = emptyFolder()
  const session = init(folder)
  await session.answer(/Where should alerts go/, down + down + down + down + enter)
  await session.answer(/Mail server/, `127.0.0.1:${smtp.port}${enter}`)
  await session.answer(/User at the mail server/, `desk@desk.example${enter}`)
  await session.answer(/Password/, `p/a s"s${enter}`)
  await session.answer(/Sender/, enter)
  await session.answer(/Recipients/, `ombud@desk.example, research@desk.example${enter}`)
  await session.answer(/Who is notified of trouble/, enter)
  await session.answer(/Address of the monitoring service/, enter)
  expect(await session.ended).toBe(0)
  expect(smtp.messages()).toHaveLength(2)
  await expect(
    recorded(
      session.screen(),
      [`:${smtp.port}`, ':2525'],
      [/[0-9a-f]{32}/g, '0123456789abcdef0123456789abcdef'],
    ),
  ).toMatchFileSnapshot(record('email'))
})

test('Ctrl-C while something is tried, too', async () => {
  const discord = await startFakeDiscord()
  onTestFinished(() => discord.close())
  discord.script({ does: 'hang' })
  const folder = emptyFolder()
  const session = init(folder, '--channel', 'discord-webhook', '--discord-webhook', discord.webhookUrl)
  await session.answer(/Trying Discord\.$/, interrupt)
  expect(await session.ended).toBe(130)
  expect(session.screen()).toContain('Stopped; nothing was written.')
  expect(readdirSync(folder)).toEqual([])
})

test('where the test alert is not accepted, the address is asked again', async () => {
  const slack = await startSlack()
  onTestFinished(() => slack.close())
  const folder = emptyFolder()
  const session = init(folder, '--service', '')
  await session.answer(/Where should alerts go/, enter)
  await session.answer(/Address of the webhook/, `${slack.webhookUrl}x${enter}`)
  await session.answer(/Who is notified of trouble/, enter)
  await session.answer(/What now/, down + enter)
  expect(readdirSync(folder)).toEqual([])
  await session.answer(/Address of the webhook \(empty: the same again\):/, slack.webhookUrl + enter)
  expect(await session.ended).toBe(0)
  expect(session.screen()).toContain('ok    test alert: sent to ai-desk')
})

test('an address of the service that does not answer is asked again; a doubtful address of ours may stay', async () => {
  const sandbox = await startSandbox({ port: 0, seed: 7 })
  onTestFinished(() => sandbox.close())
  const slack = await startSlack()
  onTestFinished(() => slack.close())
  const folder = emptyFolder()
  const ours = `http://127.0.0.1:${await freePort()}`
  const port = String(await freePort())
  const session = init(
    folder,
    '--channel',
    'slack-webhook',
    '--slack-webhook',
    slack.webhookUrl,
    '--port',
    port,
  )
  await session.answer(/Who is notified of trouble/, enter)
  await session.answer(/Address of the monitoring service/, `${ours}/v1${enter}`)
  await session.answer(/API key/, `sandbox-pro${enter}`)
  await session.answer(/Plan of the key/, enter)
  await session.answer(/FAIL[\s\S]*Address of the monitoring service.*\(http/, `\u007f${sandbox.url}${enter}`)
  await session.answer(/Address under which the service reaches this machine/, ours + enter)
  await session.answer(/warn {2}public address: [\s\S]*What now/, down + down + enter)
  expect(await session.ended).toBe(0)
  expect(session.screen()).toContain(`ok    key: ${sandbox.url} accepts it`)
  expect(session.screen()).not.toContain('sandbox-pro')
  expect(session.screen()).toMatch(/Next: npx bluepencil serve\n$/)
  expect(slack.requests).toHaveLength(1)
  expect(readFileSync(join(folder, 'config/bluepencil.yaml'), 'utf8')).toContain(`publicUrl: ${ours}`)
})

test('with another key, its plan is asked again', async () => {
  const sandbox = await startSandbox({ port: 0, seed: 7 })
  onTestFinished(() => sandbox.close())
  const slack = await startSlack()
  onTestFinished(() => slack.close())
  const folder = emptyFolder()
  const session = init(folder, '--channel', 'slack-webhook', '--slack-webhook', slack.webhookUrl)
  await session.answer(/Who is notified of trouble/, enter)
  await session.answer(/Address of the monitoring service/, sandbox.url + enter)
  await session.answer(/API key/, `bogus${enter}`)
  await session.answer(/Plan of the key/, enter)
  await session.answer(/FAIL[\s\S]*What now/, down + enter)
  await session.answer(/API key.*\(empty: the same again\)/, `sandbox-pro${enter}`)
  await session.answer(/the same again[\s\S]*Plan of the key/, down + down + enter)
  await session.answer(/Address under which the service reaches this machine/, enter)
  expect(await session.ended).toBe(0)
  expect(readFileSync(join(folder, 'config/bluepencil.yaml'), 'utf8')).toContain('tier: pro')
})

test('a token that Slack refuses is said at once and asked again; then the channel', async () => {
  const slack = await startSlack()
  onTestFinished(() => slack.close())
  const folder = emptyFolder()
  const session = init(folder, '--slack-api', slack.apiUrl)
  await session.answer(/Where should alerts go/, down + enter)
  await session.answer(/Bot token \(xoxb-…\):/, `xoxb-wrong-0123${enter}`)
  await session.answer(/Bot token \(xoxb-…\) \(empty: the same again\):/, slack.token + enter)
  expect(session.screen()).toMatch(/FAIL {2}token: .*slack\.token/)
  await session.answer(/Channel, such as #ai-desk/, `ai-desk${enter}`)
  await session.answer(/That is not a Slack channel[\s\S]*\? Channel, such as #ai-desk:$/, `#general${enter}`)
  await session.answer(/\(#general\)/, '\u007f')
  expect(session.screen()).toContain('write "/invite @bluepencil" in it.')
  await session.answer(/Channel, such as #ai-desk:$/, `#ai-desk${enter}`)
  await session.answer(/Who is notified of trouble/, enter)
  await session.answer(/Address of the monitoring service/, enter)
  expect(await session.ended).toBe(0)
  expect(await slack.read('ai-desk')).toHaveLength(1)
  expect(session.screen()).not.toMatch(/xoxb-(wrong|secret)/)
})

test('Ctrl-C leaves nothing behind, and says so', async () => {
  const folder = emptyFolder()
  // Of another program: a person is asked all the same.
  const SLACK_WEBHOOK_URL = 'https://hooks.slack.com/services/T0/B0/other'
  const session = atTerminal(['init'], { cwd: folder, env: { SLACK_WEBHOOK_URL } })
  await session.answer(/Where should alerts go/, enter)
  await session.answer(/Address of the webhook/, interrupt)
  expect(await session.ended).toBe(130)
  expect(session.screen()).toContain('Stopped; nothing was written.')
  expect(readdirSync(folder)).toEqual([])
})

test('with a configuration that is there, init asks what to do: leave it, or add an account for the console', async () => {
  const folder = emptyFolder()
  mkdirSync(join(folder, 'config'))
  const file = join(folder, 'config/bluepencil.yaml')
  const yaml = '# ours\nchannels:\n  - name: desk\n    type: console\n'
  writeFileSync(file, yaml)
  const unchanged = init(folder)
  await unchanged.answer(/bluepencil\.yaml is there already\. What do you want to do\?/, up + enter)
  expect(await unchanged.ended).toBe(1)
  expect(unchanged.screen()).toContain('Nothing was changed.')
  expect(readFileSync(file, 'utf8')).toBe(yaml)

  const session = init(folder)
  await session.answer(/What do you want to do\?/, down + down + enter)
  await session.answer(/Name to sign in with/, `ana${enter}`)
  await session.answer(/What may they do\?/, enter)
  await session.answer(/Password of ana \(a password has at least 12 characters\):/, `short${enter}`)
  await session.answer(/> a password has at least 12 characters/, ` and then long enough${enter}`)
  await session.answer(/Once more/, `short and then long enough${enter}`)
  expect(await session.ended).toBe(0)
  expect(session.screen()).toContain('has the account ana now. Start serve anew')
  const text = readFileSync(file, 'utf8')
  expect(text).toContain(`${yaml}console:\n  users:\n    - name: ana\n      password: $scrypt$`)
  expect(text).toContain('      role: admin\n')
  expect(readdirSync(folder)).toEqual(['config'])
})

test('the first account is that of an admin: with another role, nobody could change anything', async () => {
  const folder = emptyFolder()
  mkdirSync(join(folder, 'config'))
  const file = join(folder, 'config/bluepencil.yaml')
  const yaml = 'channels:\n  - name: desk\n    type: console\nconsole: {}\n'
  writeFileSync(file, yaml)
  const session = init(folder, '--add', 'account')
  await session.answer(/Name to sign in with/, `ana${enter}`)
  await session.answer(/What may they do\?/, up + enter)
  expect(await session.ended).toBe(2)
  expect(readFileSync(file, 'utf8')).toBe(yaml)
})

test('a channel is added by its kind: its name is proposed, one that is taken is asked again', async () => {
  const slack = await startSlack()
  onTestFinished(() => slack.close())
  const folder = emptyFolder()
  mkdirSync(join(folder, 'config'))
  const file = join(folder, 'config/bluepencil.yaml')
  writeFileSync(file, 'channels:\n  - name: slack\n    type: console\n')
  const session = init(folder)
  await session.answer(/What do you want to do\?/, enter)
  await session.answer(/Where should alerts go/, enter)
  await session.answer(/Address of the webhook/, slack.webhookUrl + enter)
  await session.answer(/Name of the channel, for commands and logs: \(slack-2\)/, `slack${enter}`)
  await session.answer(/That is the name of another channel\.[\s\S]*\(slack-2\)/, enter)
  expect(await session.ended).toBe(0)
  expect(session.screen()).toContain('has the channel slack-2 now; a running serve reads it by itself.')
  expect(slack.requests).toHaveLength(1)
  expect(session.screen()).not.toContain(slack.webhookUrl)
})
