import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../../src/service/sandbox/sandbox.ts'
import { startFakeDiscord } from '../../support/fakes/discord.ts'
import { startSlack } from '../../support/fakes/slack-proxy.ts'
import { startFakeSmtp } from '../../support/fakes/smtp.ts'
import { freePort } from '../../support/free-port.ts'
import { down, emptyFolder, enter, init, interrupt, record, recorded } from '../../system/e2e/prompts.ts'

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
