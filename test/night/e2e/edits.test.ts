import { expect, onTestFinished, test, vi } from 'vitest'
import { areEdited, bothEdits, correct } from '../../system/e2e/correction.ts'
import { openNewsroom } from '../../system/e2e/newsroom.ts'

test('a process that is killed before it could edit leaves that to the next, and nothing is sent again', {
  timeout: 150_000,
}, async () => {
  const all = 'direction: both'
  const newsroom = await openNewsroom({ slack: all, discord: all, email: all })
  onTestFinished(() => newsroom.close())
  const { slack, discord } = newsroom
  const first = await newsroom.serve()
  slack.fail('chat.update', { answer: 'hang' })
  discord.script({ does: 'hang', on: 'PATCH' })
  await correct(newsroom)
  await slack.received('chat.update')
  first.kill('SIGKILL')
  await first.ended
  slack.mend()
  discord.mend()
  expect(await areEdited(newsroom)).toBe(false)
  await newsroom.serve()
  await vi.waitUntil(() => areEdited(newsroom), { interval: 50 })
  expect(await newsroom.read()).toEqual({ slack: bothEdits, discord: bothEdits, email: bothEdits })
})
