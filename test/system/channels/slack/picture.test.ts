import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Picture } from '../../../../src/channels/channel.ts'
import { openSlack } from '../../../../src/channels/slack/channel.ts'
import { SlackAccount, SlackSettings } from '../../../../src/channels/slack/config.ts'
import { allScopes, type FakeSlack, type Fault, startSlack } from '../../../support/fakes/slack-proxy.ts'
import { alert, attempt } from '../../../unit/channels/slack/messages.ts'

let slack: FakeSlack

beforeEach(async () => {
  slack = await startSlack()
})
afterEach(() => slack.close())

const { signal } = new AbortController()
const picture: Picture = {
  png: new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff]),
  title: 'The last 90 days',
  alt: 'What it shows.',
}
const refused: Fault = { answer: 'error', code: 'missing_scope', needed: 'files:write' }

async function open(pictures = true) {
  const account = SlackAccount.parse({ token: slack.token, apiUrl: slack.apiUrl })
  const settings = SlackSettings.parse({ name: 'ai-desk', type: 'slack', to: '#ai-desk', pictures })
  const [channel] = await openSlack(account, [settings], { timeoutMs: 2_000 })
  if (!channel) throw new Error('no channel')
  return channel
}

async function post() {
  const channel = await open()
  const sent = await channel.send(alert(), attempt())
  if (sent.result !== 'sent' || channel.addPicture === undefined) throw new Error('it was not sent')
  return { receipt: sent.receipt, addPicture: channel.addPicture }
}

function inThread({ id = '' }: { id?: string }) {
  return slack.thread('ai-desk', id)
}

test('an alert gets its picture in its thread, with its words, and the channel no message more', async () => {
  const { receipt, addPicture } = await post()
  expect(await addPicture(picture, receipt, signal)).toEqual({ result: 'sent', receipt })
  expect(await inThread(receipt)).toMatchObject([
    {
      files: [
        { name: 'chart.png', title: 'The last 90 days', size: picture.png.length, alt_txt: 'What it shows.' },
      ],
    },
  ])
  const { method, body } = slack.requests.at(-1) ?? {}
  expect(method).toBe('files.completeUploadExternal')
  expect(body).toMatchObject({ channel_id: receipt.place, thread_ts: receipt.id })
  expect(body).not.toHaveProperty('reply_broadcast')
})

describe('what goes wrong before it is shown may be tried again', () => {
  test.each<[string, Fault, object]>([
    ['files.getUploadURLExternal', { answer: 'hang-after-forward' }, { result: 'retry', uncertain: false }],
    ['upload', { answer: 'cut-after-forward' }, { result: 'retry', uncertain: false }],
    ['upload', { answer: 'status', status: 500 }, { result: 'retry', uncertain: false }],
    [
      'files.getUploadURLExternal',
      { answer: 'status', status: 429, headers: { 'retry-after': '7' } },
      { result: 'retry', uncertain: false, afterMs: 7_000 },
    ],
  ])('%s: %j', async (method, fault, expected) => {
    const { receipt, addPicture } = await post()
    slack.fail(method, fault)
    expect(await addPicture(picture, receipt, signal)).toMatchObject(expected)
    expect(await inThread(receipt)).toEqual([])
    expect(await addPicture(picture, receipt, signal)).toMatchObject({ result: 'sent' })
    expect(await inThread(receipt)).toHaveLength(1)
  })
})

test('what may have been shown is uncertain, so that it is not tried again', async () => {
  const { receipt, addPicture } = await post()
  slack.fail('files.completeUploadExternal', { answer: 'cut-after-forward' })
  expect(await addPicture(picture, receipt, signal)).toMatchObject({ result: 'retry', uncertain: true })
  expect(await inThread(receipt)).toHaveLength(1)
})

test('a missing scope is named, with how to add it', async () => {
  const { receipt, addPicture } = await post()
  slack.fail('files.getUploadURLExternal', refused)
  expect(await addPicture(picture, receipt, signal)).toEqual({
    result: 'blocked',
    why: expect.stringContaining('lacks the scope files:write: add it under "OAuth & Permissions"'),
  })
})

test('without the message’s name nothing is uploaded', async () => {
  const { addPicture } = await post()
  expect(await addPicture(picture, { text: '' }, signal)).toMatchObject({ result: 'permanent' })
  expect(slack.requests.map(({ method }) => method)).not.toContain('files.getUploadURLExternal')
})

test('check names the scope where pictures are on, and only there', async () => {
  await slack.close()
  slack = await startSlack({ scopes: allScopes.filter((scope) => scope !== 'files:write') })
  expect(await (await open()).check()).toContainEqual({
    level: 'warn',
    what: 'pictures',
    text: expect.stringContaining('without the scope files:write the bot cannot upload one'),
  })
  expect((await (await open(false)).check()).map(({ what }) => what)).not.toContain('pictures')
})
