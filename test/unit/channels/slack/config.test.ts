import { expect, test } from 'vitest'
import { SlackAccount, SlackSettings } from '../../../../src/channels/slack/config.ts'

const desk = { name: 'ai-desk', type: 'slack' }

function problems(over: object): [string, string][] {
  const result = SlackSettings.safeParse({ ...desk, ...over })
  return result.error?.issues.map((issue) => [issue.path.join('.'), issue.message]) ?? []
}

test.each([
  { to: '#ai-desk' },
  { to: '#nachrichten-für-alle' },
  { to: 'C0123456789' },
  { webhookUrl: 'https://hooks.slack.com/services/T1/B1/x' },
  { webhookUrl: 'http://127.0.0.1:8080/hook' },
  { webhookUrl: 'http://localhost:8080/hook' },
])('%o is taken', (over) => {
  expect(problems(over)).toEqual([])
})

test.each([
  [{}, 'to', 'or the webhookUrl of an incoming webhook'],
  [{ to: '#a', webhookUrl: 'https://hooks.slack.com/x' }, 'webhookUrl', 'keep one of them'],
  [{ to: 'ai-desk' }, 'to', 'with the #, such as "#ai-desk"'],
  [{ to: '@anna' }, 'to', 'is not a Slack channel'],
  [{ webhookUrl: 'http://hooks.slack.com/x' }, 'webhookUrl', 'write https://'],
  [{ webhookUrl: 'http://localhost.evil.example/x' }, 'webhookUrl', 'write https://'],
  [{ webhookUrl: 'https://me:hush@hooks.slack.com/x' }, 'webhookUrl', 'user name or a password'],
  [{ webhookUrl: 'hooks.slack.com/x' }, 'webhookUrl', 'begins with https://'],
  [{ to: '#a', chanel: 'x' }, '', 'chanel'],
])('%o is refused at %s', (over, path, message) => {
  expect(problems(over)).toEqual([[path, expect.stringContaining(message)]])
})

test('a refused address or token is not repeated', () => {
  const secrets = { webhookUrl: 'http://hooks.slack.com/services/hush' }
  expect(JSON.stringify(SlackSettings.safeParse({ ...desk, ...secrets }).error)).not.toContain('hush')
  expect(JSON.stringify(SlackAccount.safeParse({ token: 'xoxb hush' }).error)).not.toContain('hush')
})

test('an account needs nothing but what differs from the usual', () => {
  expect(SlackAccount.parse({ token: ' xoxb-1\n' })).toEqual({
    token: 'xoxb-1',
    apiUrl: 'https://slack.com/api/',
    intervalMs: 1000,
  })
})
