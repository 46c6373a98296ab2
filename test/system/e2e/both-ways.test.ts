import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Newsroom, openNewsroom } from './newsroom.ts'
import { run } from './process.ts'

let newsroom: Newsroom

beforeEach(async () => {
  const all = 'direction: both'
  newsroom = await openNewsroom({ slack: all, discord: all, email: all }, 'auto')
})
afterEach(() => newsroom?.close())

test('a change that comes by webhook and shows in the figures is one message, edited, and one change in the ledger', {
  timeout: 60_000,
}, async () => {
  const { slack, discord, configFile } = newsroom
  const serving = await newsroom.serve()
  const change = { type: 'censorship_spike', model: 'claude', category: 'political', delta: 25 }
  const id = await newsroom.fire(change)

  // The first look is 15 s after the start.
  const bySlack = async () => JSON.stringify(await slack.read('ai-desk'))
  const byDiscord = () => JSON.stringify(discord.posted(discord.channelId))
  const levels = /Claude now refuses more political prompts: [\d.]+ %, up [\d.]+ points from [\d.]+ %\./
  const isEdited = (text: string) =>
    /polling/i.test(text) && levels.test(text) && text.includes('standard errors')
  await vi.waitUntil(async () => isEdited(await bySlack()) && isEdited(byDiscord()), {
    timeout: 40_000,
    interval: 200,
  })
  expect(await newsroom.read()).toEqual({ slack: [id], discord: [id], email: [id] })
  // What stood there before the figures came, and stays in the mail.
  const [mail] = newsroom.smtp.messages()
  expect(mail?.raw).toContain('Subject: Claude refuses 25 percentage points more political prompts.')

  const listed = await run(['ledger', '--config', configFile, '--json'])
  expect(JSON.parse(listed.stdout)).toMatchObject({
    total: { webhookOnly: 0, pollingOnly: 0, both: 1, webhookFirst: 1, pollingFirst: 0 },
    text: expect.stringContaining('1 change reached Bluepencil'),
  })
  const explained = await run(['explain', id, '--config', configFile])
  expect(explained.stdout).toMatch(/poll_[0-9a-f]{32}/)
  serving.kill()
  expect(await serving.ended).toBe(0)
})
