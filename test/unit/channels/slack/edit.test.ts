import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSlack } from '../../../../src/channels/slack/channel.ts'
import { SlackAccount, SlackSettings } from '../../../../src/channels/slack/config.ts'
import { formatSlack } from '../../../../src/channels/slack/format.ts'
import { type FakeSlack, type Fault, startSlack } from '../../../support/fakes/slack-proxy.ts'
import { alert, attempt, nasty } from './messages.ts'

let slack: FakeSlack

beforeEach(async () => {
  slack = await startSlack()
})
afterEach(() => slack.close())

const { signal } = new AbortController()
const edited = alert({
  text: ['It reports a sharp rise.', 'Also found in the published figures: 30% of 500.'],
})

async function open() {
  const account = SlackAccount.parse({ token: slack.token, apiUrl: slack.apiUrl })
  const [bot, hook] = await openSlack(account, [
    SlackSettings.parse({ name: 'bot', type: 'slack', to: '#ai-desk' }),
    SlackSettings.parse({ name: 'hook', type: 'slack', webhookUrl: slack.webhookUrl }),
  ])
  if (bot?.edit === undefined || hook === undefined) throw new Error('no channel')
  return { bot, hook, edit: bot.edit }
}

/** Sends, and answers what the provider calls the message. */
async function post() {
  const { bot, edit } = await open()
  const sent = await bot.send(alert(), attempt())
  if (sent.result !== 'sent') throw new Error(sent.why)
  return { receipt: sent.receipt, edit }
}

test('a message that was sent has the address that Slack gives it', async () => {
  const { bot } = await open()
  const { receipt } = await post()
  const address = await bot.linkTo?.(receipt, signal)
  expect(address).toMatch(/^https:/)
  expect(address).toContain(`/archives/${receipt.place}/p${receipt.id?.replace('.', '')}`)
  expect(await bot.linkTo?.({ text: '' }, signal)).toBeUndefined()
})

test('a message that was sent says more in its place, and no other is sent', async () => {
  const { receipt, edit } = await post()
  const before = await slack.read('ai-desk')
  expect(await edit(edited, receipt, signal)).toEqual({ result: 'sent', receipt })
  const { blocks, text, metadata } = formatSlack(edited)
  const after = await slack.read('ai-desk')
  expect(after).toMatchObject([{ ts: before[0]?.ts, blocks, text, metadata }])
})

test('to edit it twice changes nothing more', async () => {
  const { receipt, edit } = await post()
  await edit(edited, receipt, signal)
  await edit(edited, receipt, signal)
  expect(await slack.read('ai-desk')).toHaveLength(1)
})

test('text that would mention, link or mark up is text there too', async () => {
  const { receipt, edit } = await post()
  for (const text of nasty) {
    const message = alert({ text: [text], caveats: [text] })
    expect(await edit(message, receipt, signal)).toMatchObject({ result: 'sent' })
    for (const { text: read } of await slack.read('ai-desk')) expect(read).not.toMatch(/[<>\u202e]/)
  }
})

test('what is said in its thread is not in the channel, and rings nobody', async () => {
  const { receipt } = await post()
  const { bot } = await open()
  const more = alert({ id: 'evt_1-with-evt_2', mentions: ['here'] })
  expect(await bot.reply?.(more, receipt, signal)).toMatchObject({ result: 'sent' })
  expect(await slack.read('ai-desk')).toHaveLength(1)
  const replies = await slack.thread('ai-desk', receipt.id ?? '')
  expect(replies).toHaveLength(1)
  expect(JSON.stringify(replies)).not.toContain('<!here>')
  expect(await bot.reply?.(more, { text: 'of before' }, signal)).toEqual({
    result: 'permanent',
    why: 'Slack did not return the id of the message, so nothing can be added to it.',
  })
})

test('what an incoming webhook posted cannot be changed', async () => {
  expect((await open()).hook.edit).toBeUndefined()
})

const refusals: [string, Fault, object][] = [
  [
    'a message that was deleted',
    { answer: 'error', code: 'message_not_found' },
    { result: 'permanent', why: 'Slack does not let Bluepencil edit the message (message_not_found).' },
  ],
  [
    'a window for changes that is closed',
    { answer: 'error', code: 'edit_window_closed' },
    { result: 'permanent' },
  ],
  [
    'a limit',
    { answer: 'status', status: 429, headers: { 'retry-after': '30' } },
    { result: 'retry', afterMs: 30_000 },
  ],
  ['an error of its own', { answer: 'status', status: 503 }, { result: 'retry' }],
  ['a revoked token', { answer: 'error', code: 'token_revoked' }, { result: 'blocked' }],
]
test.each(refusals)('%s is returned as what it is', async (_, fault, expected) => {
  const { receipt, edit } = await post()
  slack.fail('chat.update', fault)
  expect(await edit(edited, receipt, signal)).toMatchObject(expected)
})

test('a message that Slack did not name is let alone', async () => {
  const { edit } = await open()
  expect(await edit(edited, { place: 'C0123456789', text: 'C0123456789/' }, signal)).toMatchObject({
    result: 'permanent',
  })
  expect(slack.requests).toEqual([])
})
