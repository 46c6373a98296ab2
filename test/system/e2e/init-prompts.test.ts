import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startSlack } from '../../support/fakes/slack-proxy.ts'
import { atTerminal } from '../../support/pty.ts'
import { down, emptyFolder, enter, init, interrupt, record, recorded } from './prompts.ts'

test('from an empty folder to a first alert in Slack, and no file edited by hand', async () => {
  const slack = await startSlack()
  onTestFinished(() => slack.close())
  const folder = emptyFolder()
  const session = init(folder)
  await session.answer(/Where should alerts go/, enter)
  await session.answer(/Address of the webhook/, slack.webhookUrl + enter)
  await session.answer(/Who is notified of trouble/, enter)
  await session.answer(/Address of the monitoring service/, enter)
  expect(await session.ended).toBe(0)
  expect(slack.requests[0]?.raw).toContain('TEST, not a report')
  expect(session.screen()).not.toContain(slack.webhookUrl)
  expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600)
  await expect(recorded(session.screen())).toMatchFileSnapshot(record('slack'))
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

test('a configuration that is there stays, unless a person says otherwise', async () => {
  const folder = emptyFolder()
  mkdirSync(join(folder, 'config'))
  const file = join(folder, 'config/bluepencil.yaml')
  writeFileSync(file, 'mine')
  const session = init(folder)
  await session.answer(/config\/bluepencil\.yaml is there already\. Replace it\?/, enter)
  expect(await session.ended).toBe(1)
  expect(session.screen()).toContain('Nothing was changed.')
  expect(readFileSync(file, 'utf8')).toBe('mine')
})
