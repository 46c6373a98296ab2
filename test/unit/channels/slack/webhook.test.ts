import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSlack } from '../../../../src/channels/slack/channel.ts'
import { SlackSettings } from '../../../../src/channels/slack/config.ts'
import { formatSlack } from '../../../../src/channels/slack/format.ts'
import { type FakeSlack, type Fault, startSlack } from '../../../support/fakes/slack-proxy.ts'
import { alert, attempt } from './messages.ts'

let slack: FakeSlack

beforeEach(async () => {
  slack = await startSlack()
})
afterEach(() => slack.close())

async function open(webhookUrl = slack.webhookUrl, timeoutMs = 10_000) {
  const settings = SlackSettings.parse({ name: 'ai-desk', type: 'slack', webhookUrl })
  const [channel] = await openSlack(undefined, [settings], { timeoutMs })
  if (!channel) throw new Error('no channel')
  return channel
}

describe('posting through an incoming webhook', () => {
  test('needs no account, and sends the same words', async () => {
    expect(await (await open()).send(alert(), attempt())).toMatchObject({ result: 'sent' })
    const { metadata: _, ...payload } = formatSlack(alert())
    expect(slack.requests.map(({ body }) => body)).toEqual([payload])
    const [message] = await slack.read('ai-desk')
    expect(message).toMatchObject({ text: payload.text, blocks: payload.blocks })
  })

  test('two channels with one address are one place, and its name does not reveal the address', async () => {
    const [one, same, other] = [await open(), await open(), await open(`${slack.webhookUrl}2`)]
    expect(one.destination).toBe(same.destination)
    expect(one.destination).not.toBe(other.destination)
    expect(one.destination).toMatch(/^[0-9a-f]{64}$/)
  })

  const outcomes: [string, Fault, object][] = [
    [
      'Retry-After is passed on',
      { answer: 'status', status: 429, headers: { 'retry-after': '2' } },
      { result: 'retry', afterMs: 2000, uncertain: false },
    ],
    ['rollup_error may have posted', status(500, 'rollup_error'), { result: 'retry', uncertain: true }],
    ['an HTML page is not an answer', { answer: 'html' }, { result: 'retry', uncertain: true }],
    [
      'a webhook that is switched off blocks',
      status(404, 'no_service'),
      { result: 'blocked', why: expect.stringContaining('create a new incoming webhook') },
    ],
    ['an unknown token blocks', status(403, 'invalid_token'), { result: 'blocked' }],
    ['a workspace rule blocks', status(403, 'action_prohibited'), { result: 'blocked' }],
    ['an archived channel blocks', status(410, 'channel_is_archived'), { result: 'blocked' }],
    ['an unknown word with 404 blocks', status(404, 'gone_fishing'), { result: 'blocked' }],
    ['a payload that Slack refuses is permanent', status(400, 'invalid_payload'), { result: 'permanent' }],
    ['blocks that Slack refuses are permanent', status(400, 'invalid_blocks'), { result: 'permanent' }],
    ['no_text is permanent', status(400, 'no_text'), { result: 'permanent' }],
    [
      'an unknown word with 400 is tried again',
      status(400, 'never_seen'),
      { result: 'retry', uncertain: false },
    ],
    [
      'a cut connection may have posted',
      { answer: 'cut-after-forward' },
      { result: 'retry', uncertain: true },
    ],
  ]
  test.each(outcomes)('%s', async (_, fault, expected) => {
    slack.fail('webhook', fault)
    const result = await (await open()).send(alert(), attempt())
    expect(result).toMatchObject(expected)
    expect(JSON.stringify(result)).not.toMatch(/secretOfTheWebhook|127\.0\.0\.1/)
  })

  test('a redirect is not followed', async () => {
    const elsewhere = { location: `${slack.apiUrl}elsewhere` }
    slack.fail('webhook', { answer: 'status', status: 307, headers: elsewhere })
    expect(await (await open()).send(alert(), attempt())).toMatchObject({ result: 'retry' })
    expect(slack.requests.map(({ method }) => method)).toEqual(['webhook'])
  })

  test('no answer in time may have posted', async () => {
    slack.fail('webhook', { answer: 'hang-after-forward' })
    expect(await (await open(slack.webhookUrl, 200)).send(alert(), attempt())).toMatchObject({
      result: 'retry',
      uncertain: true,
    })
  })
})

test.each([
  ['https://hooks.slack.com/services/T1/B1/x', 'ok', 'test-alert ai-desk'],
  ['https://hooks.slack.com/triggers/T1/2/x', 'fail', 'copy the whole one'],
  ['https://chat.example/hooks/x', 'warn', 'not on hooks.slack.com'],
])('check of %s', async (url, level, text) => {
  const findings = await (await open(url)).check()
  expect(findings).toEqual([{ level, what: 'webhook', text: expect.stringContaining(text) }])
  expect(slack.requests).toEqual([])
})

function status(code: number, body: string): Fault {
  return { answer: 'status', status: code, body }
}
