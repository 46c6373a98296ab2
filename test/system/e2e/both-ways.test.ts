import { expect, onTestFinished, test, vi } from 'vitest'
import { openNewsroomHere } from './newsroom-here.ts'
import { runHere } from './run-here.ts'

/** From the start to the first reading of the figures. */
const firstReadingMs = 16_000

test('a change that comes by webhook and shows in the figures is one message, edited, and one change in the ledger', async () => {
  const all = 'direction: both'
  const newsroom = await openNewsroomHere({ slack: all, discord: all, email: all }, 'auto')
  onTestFinished(() => newsroom.close())
  const { slack, discord, configFile } = newsroom
  const change = { type: 'censorship_spike', model: 'claude', category: 'political', delta: 25 }
  const id = await newsroom.fire(change)
  const sentOnce = { slack: [id], discord: [id], email: [id] }
  await vi.waitFor(async () => expect(await newsroom.read()).toEqual(sentOnce))

  newsroom.skip(firstReadingMs)
  const bySlack = async () => JSON.stringify(await slack.read('ai-desk'))
  const byDiscord = () => JSON.stringify(discord.posted(discord.channelId))
  const levels = /\d% (of|in)|published figures show [+\d.]+, from [\d.]+% to [\d.]+%/
  const isEdited = (text: string) => /Also found in/.test(text) && levels.test(text)
  await vi.waitUntil(async () => isEdited(await bySlack()) && isEdited(byDiscord()), { interval: 20 })
  expect(await newsroom.read()).toEqual(sentOnce)
  // What stood there before the figures came, and stays in the mail.
  const [mail] = newsroom.smtp.messages()
  expect(mail?.raw).toContain('Claude=E2=80=99s refusal rate on political prompts rose 25 points.')

  const listed = await runHere(['ledger', '--config', configFile, '--json'])
  expect(JSON.parse(listed.stdout)).toMatchObject({
    total: { webhookOnly: 0, pollingOnly: 0, both: 1, webhookFirst: 1, pollingFirst: 0 },
    text: expect.stringContaining('1 change of a rate reached Bluepencil'),
  })
  const explained = await runHere(['explain', id, '--config', configFile])
  expect(explained.stdout).toMatch(/poll_[0-9a-f]{32}/)
})
