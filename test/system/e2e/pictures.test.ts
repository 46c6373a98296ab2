import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Newsroom, openNewsroom } from './newsroom.ts'
import { run } from './process.ts'

let newsroom: Newsroom

beforeEach(async () => {
  const all = 'direction: both, pictures: true'
  newsroom = await openNewsroom({ slack: all, discord: all, email: all })
})
afterEach(() => newsroom?.close())

const change = { type: 'censorship_spike', model: 'claude', category: 'political', delta: 12 }
const patience = { timeout: 20_000, interval: 50 }
const png = [0x89, 0x50, 0x4e, 0x47]
const says = /^Claude: political prompts refused, percent per day, /

async function inSlack(): Promise<unknown[]> {
  const [alert] = (await newsroom.slack.read('ai-desk')).filter(({ metadata }) =>
    JSON.stringify(metadata ?? {}).includes('"evt_'),
  )
  return alert === undefined ? [] : newsroom.slack.thread('ai-desk', String(alert.ts))
}

test('an alert has its picture in Slack and in Discord, after the text', {
  timeout: 60_000,
}, async () => {
  const { discord, slack } = newsroom
  const serving = await newsroom.serve()
  const id = await newsroom.fire(change)
  await vi.waitUntil(
    async () =>
      (await inSlack()).length > 0 && discord.posted(discord.channelId)[0]?.attachments !== undefined,
    patience,
  )
  expect(await newsroom.read()).toEqual({ slack: [id], discord: [id], email: [id] })

  expect(await inSlack()).toMatchObject([
    { files: [{ name: 'chart.png', alt_txt: expect.stringMatching(says) }] },
  ])
  const slackSent = slack.requests.map(({ method }) => method)
  expect(slackSent.indexOf('chat.postMessage')).toBeLessThan(slackSent.indexOf('files.getUploadURLExternal'))

  expect(discord.posted(discord.channelId)).toMatchObject([
    { attachments: [{ filename: 'chart.png', description: expect.stringMatching(says) }] },
  ])
  const [file] = discord.requests.flatMap(({ files = [] }) => files)
  expect([...(file?.bytes.subarray(0, 4) ?? [])]).toEqual(png)

  await vi.waitFor(async () => {
    const { stdout } = await run(['explain', id, '--config', newsroom.configFile])
    expect(stdout.match(/; with a picture/g)).toHaveLength(2)
  })
  serving.kill()
  expect(await serving.ended).toBe(0)
})

test('killed in the middle of adding one, it sends nothing again, and no second picture', {
  timeout: 90_000,
}, async () => {
  const { discord, slack } = newsroom
  const first = await newsroom.serve()
  slack.fail('files.completeUploadExternal', { answer: 'hang-after-forward' })
  discord.script({ does: 'hang', on: 'PATCH' })
  const id = await newsroom.fire(change)
  await slack.received('files.completeUploadExternal')
  await vi.waitUntil(() => discord.requests.some(({ method }) => method === 'PATCH'), patience)
  first.kill('SIGKILL')
  await first.ended
  slack.mend()
  discord.mend()
  await newsroom.serve()
  const next = await newsroom.fire({ ...change, category: 'safety' })
  await vi.waitUntil(() => discord.posted(discord.channelId)[1]?.attachments !== undefined, patience)
  expect(await newsroom.read()).toEqual({ slack: [id, next], discord: [id, next], email: [id, next] })
  expect(await inSlack()).toHaveLength(1)
  expect(discord.posted(discord.channelId)[0]?.attachments).toBeUndefined()
  const { stdout } = await run(['explain', id, '--config', newsroom.configFile])
  expect(stdout.match(/; without a picture: it was begun, and its end was not noted/g)).toHaveLength(2)
})
