import { expect, onTestFinished, test, vi } from 'vitest'
import { openNewsroom } from '../../system/e2e/newsroom.ts'
import { openNewsroomHere } from '../../system/e2e/newsroom-here.ts'
import { picturesInSlack } from '../../system/e2e/pictures.ts'
import { run } from '../../system/e2e/process.ts'
import { runHere } from '../../system/e2e/run-here.ts'

const png = [0x89, 0x50, 0x4e, 0x47]
const altText = /^Claude: political prompts refused, percent per day, /

test('killed in the middle of adding a picture, it sends nothing again, and no second picture', {
  timeout: 150_000,
}, async () => {
  const all = 'direction: both, pictures: true'
  const newsroom = await openNewsroom({ slack: all, discord: all, email: all })
  onTestFinished(() => newsroom.close())
  const { discord, slack } = newsroom
  const change = { type: 'censorship_spike', model: 'claude', category: 'political', delta: 12 }
  const first = await newsroom.serve()
  slack.fail('files.completeUploadExternal', { answer: 'hang-after-forward' })
  discord.script({ does: 'hang', on: 'PATCH' })
  const id = await newsroom.fire(change)
  await slack.received('files.completeUploadExternal')
  await vi.waitUntil(() => discord.requests.some(({ method }) => method === 'PATCH'))
  // A mail has no picture, and may be slower than one.
  await vi.waitUntil(async () => (await newsroom.read()).email.length === 1)
  first.kill('SIGKILL')
  await first.ended
  slack.mend()
  discord.mend()
  await newsroom.serve()
  const next = await newsroom.fire({ ...change, category: 'safety' })
  await vi.waitUntil(() => discord.posted(discord.channelId)[1]?.attachments !== undefined)
  const bothSent = { slack: [id, next], discord: [id, next], email: [id, next] }
  await vi.waitFor(async () => expect(await newsroom.read()).toEqual(bothSent))
  expect(await picturesInSlack(slack)).toHaveLength(1)
  expect(discord.posted(discord.channelId)[0]?.attachments).toBeUndefined()
  const { stdout } = await run(['explain', id, '--config', newsroom.configFile])
  expect(stdout.match(/; without a picture: Bluepencil stopped before it was finished/g)).toHaveLength(2)
})

test('an alert has its picture in Slack and in Discord, after the text', async () => {
  const all = 'direction: both, pictures: true'
  const newsroom = await openNewsroomHere({ slack: all, discord: all, email: all })
  onTestFinished(() => newsroom.close())
  const { discord, slack } = newsroom
  const change = { type: 'censorship_spike', model: 'claude', category: 'political', delta: 12 }
  const id = await newsroom.fire(change)
  await vi.waitUntil(
    async () =>
      (await picturesInSlack(slack)).length > 0 &&
      discord.posted(discord.channelId)[0]?.attachments !== undefined,
    { interval: 20 },
  )
  await vi.waitFor(async () =>
    expect(await newsroom.read()).toEqual({ slack: [id], discord: [id], email: [id] }),
  )

  expect(await picturesInSlack(slack)).toMatchObject([
    { files: [{ name: 'chart.png', alt_txt: expect.stringMatching(altText) }] },
  ])
  const slackSent = slack.requests.map(({ method }) => method)
  expect(slackSent.indexOf('chat.postMessage')).toBeLessThan(slackSent.indexOf('files.getUploadURLExternal'))

  expect(discord.posted(discord.channelId)).toMatchObject([
    { attachments: [{ filename: 'chart.png', description: expect.stringMatching(altText) }] },
  ])
  const [file] = discord.requests.flatMap(({ files = [] }) => files)
  expect([...(file?.bytes.subarray(0, 4) ?? [])]).toEqual(png)

  await vi.waitFor(async () => {
    const { stdout } = await runHere(['explain', id, '--config', newsroom.configFile])
    expect(stdout.match(/; with a picture/g)).toHaveLength(2)
  })
})
