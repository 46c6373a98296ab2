import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const program = [
  '',
  "  import { openSlack } from './src/channels/slack/channel.ts'",
  "  const account = { token: 'xoxb-1', apiUrl: 'https://slack.invalid/', intervalMs: 1 }",
  "  await openSlack(account, [{ name: 'a', type: 'slack', webhookUrl: 'https://slack.invalid/x' }])",
  "  const { createRequire } = await import('node:module')",
  "  const loaded = () => Object.keys(createRequire(process.cwd() + '/x.js').cache).some((file) => file.includes('@slack'))",
  '  const before = loaded()',
  "  await openSlack(account, [{ name: 'a', type: 'slack', to: '#a' }])",
  '  console.log(before, loaded())',
  '',
].join('\n')

test("Slack's client is loaded only if a channel posts with a token", async () => {
  const args = ['--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout.trim()).toBe('false true')
})
