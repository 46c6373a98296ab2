import { expect, onTestFinished, test, vi } from 'vitest'
import { openNewsroom } from '../../system/e2e/newsroom.ts'
import { picturesInSlack } from '../../system/e2e/pictures.ts'
import { run } from '../../system/e2e/process.ts'

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
  first.kill('SIGKILL')
  await first.ended
  slack.mend()
  discord.mend()
  await newsroom.serve()
  const next = await newsroom.fire({ ...change, category: 'safety' })
  await vi.waitUntil(() => discord.posted(discord.channelId)[1]?.attachments !== undefined)
  expect(await newsroom.read()).toEqual({ slack: [id, next], discord: [id, next], email: [id, next] })
  expect(await picturesInSlack(slack)).toHaveLength(1)
  expect(discord.posted(discord.channelId)[0]?.attachments).toBeUndefined()
  const { stdout } = await run(['explain', id, '--config', newsroom.configFile])
  expect(stdout.match(/; without a picture: Bluepencil stopped before it was finished/g)).toHaveLength(2)
})
