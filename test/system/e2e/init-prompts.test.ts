import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startSlack } from '../../support/fakes/slack-proxy.ts'
import { emptyFolder, enter, init, record, recorded } from './prompts.ts'

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
  expect(slack.requests[0]?.raw).toContain('TEST, not a real alert')
  expect(session.screen()).not.toContain(slack.webhookUrl)
  expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600)
  await expect(recorded(session.screen())).toMatchFileSnapshot(record('slack'))
})
