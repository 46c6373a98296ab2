import { afterEach, expect, test } from 'vitest'
import { openSlack } from '../../../../src/channels/slack/channel.ts'
import { SlackAccount, SlackSettings } from '../../../../src/channels/slack/config.ts'
import { startSlackPeople } from '../../../support/fakes/slack-people.ts'
import { allScopes, type FakeSlack, startSlack } from '../../../support/fakes/slack-proxy.ts'

let slack: FakeSlack
afterEach(() => slack.close())

async function check(to: string, more: { token?: string; appToken?: string } = {}) {
  const account = SlackAccount.parse({ token: slack.token, apiUrl: slack.apiUrl, ...more })
  const settings = SlackSettings.parse({ name: 'ai-desk', type: 'slack', to })
  const [channel] = await openSlack(account, [settings])
  const findings = await channel?.check()
  expect(slack.requests.map(({ method }) => method)).not.toContain('chat.postMessage')
  return findings ?? []
}

test('a channel that works is reported as ok, by name and by id', async () => {
  slack = await startSlack()
  const id = await slack.idOf('ai-desk')
  for (const to of ['#ai-desk', id]) {
    expect(await check(to)).toEqual([
      { level: 'ok', what: 'token', text: '@bluepencil in the workspace "Newsroom".' },
      { level: 'ok', what: 'channel', text: `@bluepencil is in #ai-desk (${id}).` },
      { level: 'ok', what: 'history', text: expect.stringContaining('does not post it twice') },
    ])
  }
})

test('a wrong token is reported without repeating it', async () => {
  slack = await startSlack()
  const findings = await check('#ai-desk', { token: 'xoxb-wrong' })
  expect(findings).toEqual([
    { level: 'fail', what: 'token', text: expect.stringContaining('write a new one there') },
  ])
  expect(JSON.stringify(findings)).not.toContain('xoxb-')
})

test('a channel without the bot is reported with the /invite command to type', async () => {
  slack = await startSlack()
  expect(await check('#general')).toContainEqual({
    level: 'fail',
    what: 'channel',
    text: expect.stringContaining('write "/invite @bluepencil" in it'),
  })
})

test('the right to post in every public channel replaces membership', async () => {
  slack = await startSlack({ scopes: [...allScopes, 'chat:write.public'] })
  expect(await check('#general')).toContainEqual({
    level: 'ok',
    what: 'channel',
    text: expect.stringContaining('may post in public channels'),
  })
})

test('a channel that is missing or archived is reported', async () => {
  slack = await startSlack()
  expect(await check('#nowhere')).toContainEqual({
    level: 'fail',
    what: 'channel',
    text: expect.stringContaining('does not see #nowhere'),
  })
  await slack.archive('ai-desk')
  expect(await check('#ai-desk')).toContainEqual({
    level: 'fail',
    what: 'channel',
    text: expect.stringContaining('is archived'),
  })
})

test('without the scope to read, the possible duplicate after a crash is reported', async () => {
  slack = await startSlack({ scopes: ['chat:write', 'channels:read'] })
  expect(await check('#ai-desk')).toContainEqual({
    level: 'warn',
    what: 'history',
    text: expect.stringContaining('without the scope channels:history'),
  })
})

test('without the scope to list channels, the missing scope is all that check reports', async () => {
  slack = await startSlack({ scopes: ['chat:write'] })
  expect(await check('#ai-desk')).toContainEqual({
    level: 'warn',
    what: 'channel',
    text: expect.stringContaining('Not checked: without the scope channels:read'),
  })
})

test('without the scope to find a channel by its name, the possible duplicate after a crash is reported', async () => {
  slack = await startSlack({ scopes: ['chat:write', 'channels:history'] })
  expect(await check('#ai-desk')).toContainEqual({
    level: 'warn',
    what: 'history',
    text: expect.stringMatching(/twice after a crash: without the scope channels:read .* by its name/),
  })
})

test('without the scope to post, it would not work', async () => {
  slack = await startSlack({ scopes: ['channels:read'] })
  expect(await check('#ai-desk')).toContainEqual({
    level: 'fail',
    what: 'permission',
    text: expect.stringContaining('chat:write'),
  })
})

test('where people are to be heard: whether Slack opens a connection, and the scope of the command', async () => {
  const people = await startSlackPeople()
  slack = await startSlack({ people, scopes: allScopes.filter((scope) => scope !== 'commands') })
  const rows = async (appToken: string) => (await check('#ai-desk', { appToken })).slice(-2)
  expect(await rows(people.appToken)).toEqual([
    { level: 'ok', what: 'buttons', text: 'Socket Mode works: people can use buttons.' },
    { level: 'warn', what: 'commands', text: expect.stringContaining('without the scope commands the bot') },
  ])
  const [unknown] = await rows('xapp-of-another-app')
  expect(unknown).toMatchObject({
    level: 'fail',
    text: expect.stringContaining('slack.appToken (invalid_auth)'),
  })
  people.refuse({ ok: false, error: 'missing_scope', needed: 'connections:write' })
  const [lacking] = await rows(people.appToken)
  expect(lacking).toMatchObject({ level: 'fail', text: expect.stringContaining('connections:write') })
  await people.close()
})
