import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSlack } from '../../../../src/channels/slack/channel.ts'
import { SlackAccount, SlackSettings } from '../../../../src/channels/slack/config.ts'
import { formatSlack } from '../../../../src/channels/slack/format.ts'
import { type FakeSlack, type Fault, startSlack } from '../../../support/fakes/slack-proxy.ts'
import { alert, attempt, nasty } from '../../../unit/channels/slack/messages.ts'

let slack: FakeSlack

beforeEach(async () => {
  slack = await startSlack()
})
afterEach(() => slack.close())

async function open(over: { to?: string; token?: string; timeoutMs?: number; apiUrl?: string } = {}) {
  const { to = '#ai-desk', token = slack.token, timeoutMs = 10_000, apiUrl = slack.apiUrl } = over
  const account = SlackAccount.parse({ token, apiUrl })
  const settings = SlackSettings.parse({ name: 'ai-desk', type: 'slack', to })
  const [channel] = await openSlack(account, [settings], { timeoutMs })
  if (!channel) throw new Error('no channel')
  return channel
}

async function receiptOf(message: Record<string, unknown> | undefined) {
  const place = await slack.idOf('ai-desk')
  return { place, id: message?.ts, text: `${place}/${message?.ts}` }
}

describe('posting with a bot token', () => {
  test('the alert stands in the channel, as it was formatted', async () => {
    const result = await (await open()).send(alert(), attempt())
    const [message] = await slack.read('ai-desk')
    expect(result).toEqual({ result: 'sent', receipt: await receiptOf(message) })
    const { blocks, text, metadata } = formatSlack(alert())
    expect(message).toMatchObject({
      blocks,
      text,
      metadata,
      mrkdwn: false,
      unfurl_links: false,
      parse: 'none',
    })
  })

  test('a channel may be named by its id', async () => {
    const result = await (await open({ to: await slack.idOf('investigations') })).send(alert(), attempt())
    expect(result.result).toBe('sent')
    expect(await slack.read('investigations')).toHaveLength(1)
  })

  test('text that would mention, link or mark up arrives as text', async () => {
    const channel = await open()
    for (const text of nasty) {
      const message = alert({ headline: text, text: [text, 'x'.repeat(100_000)], caveats: [text] })
      expect(await channel.send(message, attempt())).toMatchObject({ result: 'sent' })
    }
    for (const { text } of await slack.read('ai-desk')) expect(text).not.toMatch(/[<>\u202e]/)
  })

  test('one second lies between two messages unless configured otherwise', async () => {
    expect((await open()).paceMs).toBe(1000)
    const account = SlackAccount.parse({ token: 'xoxb', intervalMs: 5 })
    const settings = SlackSettings.parse({ name: 'a', type: 'slack', to: '#a' })
    expect((await openSlack(account, [settings]))[0]?.paceMs).toBe(5)
  })
})

test('a channel that is named and one that has the id are one place, once something was posted', async () => {
  const [named, withId] = [await open(), await open({ to: await slack.idOf('ai-desk') })]
  expect(named.destination).toBe('#ai-desk')
  await named.send(alert(), attempt())
  expect(named.destination).toBe(withId.destination)
})

describe('what Slack answers decides', () => {
  const outcomes: [string, Fault, object][] = [
    [
      'Retry-After is passed on',
      { answer: 'status', status: 429, headers: { 'retry-after': '30' } },
      { result: 'retry', afterMs: 30_000, uncertain: false },
    ],
    [
      'a fractional Retry-After is passed on',
      { answer: 'status', status: 429, headers: { 'retry-after': '1.5' } },
      { result: 'retry', afterMs: 1500, uncertain: false },
    ],
    [
      '429 without Retry-After is tried again',
      { answer: 'status', status: 429 },
      { result: 'retry', why: 'Slack asks us to send more slowly.', uncertain: false },
    ],
    [
      'ratelimited with status 200 is tried again',
      { answer: 'error', code: 'ratelimited', headers: { 'retry-after': '7' } },
      { result: 'retry', afterMs: 7000, uncertain: false },
    ],
    ['a 503 may have posted', { answer: 'status', status: 503 }, { result: 'retry', uncertain: true }],
    [
      'a 404 of a proxy has not posted',
      { answer: 'status', status: 404 },
      { result: 'retry', uncertain: false },
    ],
    ['an HTML page is not an answer', { answer: 'html' }, { result: 'retry', uncertain: true }],
    [
      'internal_error may have posted',
      { answer: 'error', code: 'internal_error' },
      { result: 'retry', uncertain: true },
    ],
    [
      'fatal_error may have posted',
      { answer: 'error', code: 'fatal_error' },
      { result: 'retry', uncertain: true },
    ],
    [
      'request_timeout has not posted',
      { answer: 'error', code: 'request_timeout' },
      { result: 'retry', uncertain: false },
    ],
    ['an unknown error is tried again', { answer: 'error', code: 'brand_new_error' }, { result: 'retry' }],
    ['an unreadable error is not repeated', { answer: 'error', code: '<b>xoxb</b>' }, { result: 'retry' }],
    [
      'a revoked token blocks',
      { answer: 'error', code: 'token_revoked' },
      {
        result: 'blocked',
        why: 'Slack answers token_revoked: the token in slack.token: it was revoked; write a new one there.',
      },
    ],
    ['an expired token blocks', { answer: 'error', code: 'token_expired' }, { result: 'blocked' }],
    ['a removed bot blocks', { answer: 'error', code: 'account_inactive' }, { result: 'blocked' }],
    [
      'a missing scope is named',
      { answer: 'error', code: 'missing_scope', needed: 'chat:write' },
      { result: 'blocked', why: expect.stringContaining('the app lacks the scope chat:write: add it') },
    ],
    [
      'a bot outside the channel: the message says to invite it, by its name',
      { answer: 'error', code: 'not_in_channel' },
      { result: 'blocked', why: expect.stringContaining('write "/invite @bluepencil" in it') },
    ],
    ['a deleted channel blocks', { answer: 'error', code: 'channel_not_found' }, { result: 'blocked' }],
    ['an archived channel blocks', { answer: 'error', code: 'is_archived' }, { result: 'blocked' }],
    ['a workspace rule blocks', { answer: 'error', code: 'restricted_action' }, { result: 'blocked' }],
    [
      'blocks that Slack refuses are permanent',
      { answer: 'error', code: 'invalid_blocks' },
      { result: 'permanent' },
    ],
    [
      'a message that is too long is permanent',
      { answer: 'error', code: 'msg_too_long' },
      { result: 'permanent' },
    ],
  ]
  test.each(outcomes)('%s', async (_, fault, expected) => {
    slack.fail('chat.postMessage', fault)
    const result = await (await open()).send(alert(), attempt())
    expect(result).toMatchObject(expected)
    expect(JSON.stringify(result)).not.toMatch(/xoxb|html/i)
    expect(await slack.read('ai-desk')).toEqual([])
  })

  test('a wrong token blocks and is not repeated', async () => {
    const result = await (await open({ token: 'xoxb-wrong' })).send(alert(), attempt())
    expect(result).toMatchObject({ result: 'blocked', why: expect.stringContaining('invalid_auth') })
    expect(JSON.stringify(result)).not.toContain('xoxb-')
  })

  test('a channel without the bot and one that is not there block', async () => {
    expect(await (await open({ to: '#general' })).send(alert(), attempt())).toMatchObject({
      result: 'blocked',
    })
    expect(await (await open({ to: '#nowhere' })).send(alert(), attempt())).toMatchObject({
      result: 'blocked',
      why: expect.stringContaining('Slack does not find #nowhere'),
    })
  })

  test('no answer in time may have posted', async () => {
    slack.fail('chat.postMessage', { answer: 'hang' })
    const result = await (await open({ timeoutMs: 100 })).send(alert(), attempt())
    expect(result).toEqual({
      result: 'retry',
      why: 'Slack did not answer (time-out).',
      uncertain: true,
      unanswered: true,
    })
  })

  test('a stop ends the try and leaves it uncertain', async () => {
    slack.fail('chat.postMessage', { answer: 'hang' })
    const stop = new AbortController()
    const sending = (await open()).send(alert(), attempt({ signal: stop.signal }))
    await slack.received('chat.postMessage')
    stop.abort()
    expect(await sending).toMatchObject({ result: 'retry', uncertain: true })
  })

  test('a refused connection has posted nothing', async () => {
    const channel = await open()
    await slack.close()
    const result = await channel.send(alert(), attempt())
    slack = await startSlack()
    expect(result).toEqual({
      result: 'retry',
      why: 'Slack cannot be reached (ECONNREFUSED).',
      uncertain: false,
    })
  })
})

describe('after an uncertain try', () => {
  test('a message that had arrived is found and not posted again', async () => {
    slack.fail('chat.postMessage', { answer: 'cut-after-forward' })
    const first = await (await open()).send(alert(), attempt())
    expect(first).toMatchObject({ result: 'retry', uncertain: true })

    const [message] = await slack.read('ai-desk')
    const second = await (await open()).send(alert(), attempt({ uncertain: true }))
    expect(second).toEqual({ result: 'sent', receipt: await receiptOf(message) })
    expect(await slack.read('ai-desk')).toHaveLength(1)
  })

  test('it is found beyond the first page', async () => {
    const channel = await open()
    for (const id of ['evt_1', 'evt_2', 'evt_3']) await channel.send(alert({ id }), attempt())
    slack.pageSize = 1
    expect(await channel.send(alert({ id: 'evt_1' }), attempt({ uncertain: true }))).toMatchObject({
      result: 'sent',
    })
    expect(await slack.read('ai-desk')).toHaveLength(3)
  })

  test('a message that had not arrived is posted', async () => {
    const channel = await open()
    await channel.send(alert({ id: 'evt_other' }), attempt())
    expect(await channel.send(alert(), attempt({ uncertain: true }))).toMatchObject({ result: 'sent' })
    expect(await slack.read('ai-desk')).toHaveLength(2)
  })

  test('without the scope to read, it is posted again only as a repeat, when the time for one has come', async () => {
    await slack.close()
    slack = await startSlack({ scopes: ['chat:write', 'channels:read'] })
    const channel = await open()
    await channel.send(alert(), attempt())
    expect(await channel.send(alert(), attempt({ uncertain: true }))).toEqual({
      result: 'retry',
      why: 'An earlier attempt may have arrived. The bot cannot check, because it may not read the channel (missing_scope).',
      uncertain: true,
      unanswered: true,
    })
    expect(channel.cannotVerifyDelivery).toBe(true)
    expect(await slack.read('ai-desk')).toHaveLength(1)
    expect(await channel.send(alert(), attempt({ uncertain: true, repeat: true }))).toMatchObject({
      result: 'sent',
    })
    expect(await slack.read('ai-desk')).toHaveLength(2)
  })

  test('while Slack is too busy to be looked at, it waits', async () => {
    slack.fail('conversations.history', { answer: 'status', status: 429, headers: { 'retry-after': '60' } })
    const result = await (await open()).send(alert(), attempt({ uncertain: true }))
    expect(result).toMatchObject({ result: 'retry', afterMs: 60_000, uncertain: true })
    expect(await slack.read('ai-desk')).toEqual([])
  })

  const onePageAMinute = { answer: 'status', status: 429, headers: { 'retry-after': '60' } } as const

  test('an app that may read only one page a minute waits, reads on where it stopped, and finds what had arrived', async () => {
    const channel = await open()
    for (const id of ['evt_1', 'evt_2']) await channel.send(alert({ id }), attempt())
    slack.pageSize = 1
    slack.after('conversations.history', 1, onePageAMinute)
    const again = attempt({ uncertain: true })
    expect(await channel.send(alert({ id: 'evt_1' }), again)).toMatchObject({
      result: 'retry',
      afterMs: 60_000,
      uncertain: true,
    })
    expect(await slack.read('ai-desk')).toHaveLength(2)
    expect(await channel.send(alert({ id: 'evt_1' }), again)).toMatchObject({ result: 'sent' })
    expect(await slack.read('ai-desk')).toHaveLength(2)
    const reads = slack.requests.filter(({ method }) => method === 'conversations.history')
    expect(reads.filter(({ body }) => body.cursor === undefined)).toHaveLength(1)
  })

  test('such an app posts once it has read everything, and it was not there', async () => {
    const channel = await open()
    for (const id of ['evt_1', 'evt_2']) await channel.send(alert({ id }), attempt())
    slack.pageSize = 1
    slack.after('conversations.history', 1, onePageAMinute)
    expect(await channel.send(alert(), attempt({ uncertain: true }))).toMatchObject({ result: 'retry' })
    expect(await channel.send(alert(), attempt({ uncertain: true }))).toMatchObject({ result: 'sent' })
    expect(await slack.read('ai-desk')).toHaveLength(3)
  })

  test('only what stands behind the message before it is read, by what Slack calls that one', async () => {
    const channel = await open()
    await channel.send(alert({ id: 'evt_before' }), attempt())
    slack.fail('chat.postMessage', { answer: 'cut-after-forward' })
    await channel.send(alert(), attempt())
    const [before] = await slack.read('ai-desk')
    expect(await channel.send(alert(), attempt({ uncertain: true }))).toMatchObject({ result: 'sent' })
    const reads = slack.requests.filter(({ method }) => method === 'conversations.history')
    expect(reads.map(({ body }) => body.oldest)).toEqual([before?.ts])
    expect(await slack.read('ai-desk')).toHaveLength(2)
  })

  test('a message of another app with our event in its metadata is not ours', async () => {
    await slack.forge('ai-desk', formatSlack(alert()))
    expect(await (await open()).send(alert(), attempt({ uncertain: true }))).toMatchObject({ result: 'sent' })
    expect(await slack.read('ai-desk')).toHaveLength(2)
  })

  test('a search that Slack has trouble with is made again, and nothing is posted meanwhile', async () => {
    slack.fail('conversations.history', { answer: 'error', code: 'internal_error' })
    const channel = await open()
    expect(await channel.send(alert(), attempt({ uncertain: true }))).toMatchObject({
      result: 'retry',
      uncertain: true,
    })
    expect(channel.cannotVerifyDelivery).toBe(false)
    expect(await slack.read('ai-desk')).toEqual([])
  })
})
