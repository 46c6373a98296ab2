import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Newsroom, openNewsroom } from './newsroom.ts'
import { run } from './process.ts'

let newsroom: Newsroom

beforeEach(async () => {
  const all = 'direction: both'
  newsroom = await openNewsroom({ slack: all, discord: all, email: all })
})
afterEach(() => newsroom?.close())

const change = { type: 'censorship_spike', model: 'claude', category: 'political' }
const id = 'evt_to_be_corrected'
const both = [id, id]

/** What stands in Slack and in Discord, oldest first. */
async function standing(): Promise<{ slack: string[]; discord: string[] }> {
  const { slack, discord } = newsroom
  const alerts = (await slack.read('ai-desk')).filter(
    ({ metadata }) => !JSON.stringify(metadata ?? {}).includes('"ntc_'),
  )
  return {
    slack: alerts.map(({ blocks }) => JSON.stringify(blocks)),
    discord: discord.posted(discord.channelId).map((message) => JSON.stringify(message)),
  }
}

async function areEdited(): Promise<boolean> {
  const { slack, discord } = await standing()
  return [slack, discord].every(([first]) => first?.includes('now reported as +9 percentage points') === true)
}

/** The service says 12 percentage points, and then, under the same id, 9. */
async function correct(): Promise<void> {
  await newsroom.fire({ ...change, id, delta: 12 })
  await vi.waitUntil(async () => Object.values(await newsroom.read()).every(({ length }) => length === 1), {
    timeout: 20_000,
    interval: 50,
  })
  await newsroom.fire({ ...change, id, delta: 9 })
  await vi.waitUntil(async () => Object.values(await newsroom.read()).every(({ length }) => length === 2), {
    timeout: 20_000,
    interval: 50,
  })
}

test('a correction is sent, and what it corrects says so in Slack and Discord, where it stands', {
  timeout: 60_000,
}, async () => {
  const serving = await newsroom.serve()
  await correct()
  await vi.waitUntil(areEdited, { timeout: 20_000, interval: 50 })
  expect(await newsroom.read()).toEqual({ slack: both, discord: both, email: both })
  const { slack, discord } = await standing()
  for (const [first, second] of [slack, discord]) {
    expect(first).toContain('Since corrected: Claude refuses 12 percentage points more')
    expect(second).toContain('Correction: Claude refuses 9 percentage points more')
    expect(second).not.toContain('Since corrected')
  }
  // What stands there is written down a moment later.
  await vi.waitFor(async () => {
    const { stdout } = await run(['explain', id, '--config', newsroom.configFile])
    expect(stdout).toContain(`corrected by ${id}~2 later`)
    expect(stdout).toMatch(new RegExp(`ai-desk .*C\\w+/\\d+\\.\\d+; it also reports ${id}~2; edited 2`))
    const metrics = await (await fetch(`${newsroom.origin}/metrics`)).text()
    expect(metrics).toContain('bluepencil_edits_total{channel="ai-desk",outcome="edited"} 1')
  })
  serving.kill()
  expect(await serving.ended).toBe(0)
})

test('a process that is killed before it could edit leaves that to the next, and nothing is sent again', {
  timeout: 90_000,
}, async () => {
  const { slack, discord } = newsroom
  const first = await newsroom.serve()
  slack.fail('chat.update', { answer: 'hang' })
  discord.script({ does: 'hang', on: 'PATCH' })
  await correct()
  await slack.received('chat.update')
  first.kill('SIGKILL')
  await first.ended
  slack.mend()
  discord.mend()
  expect(await areEdited()).toBe(false)
  await newsroom.serve()
  await vi.waitUntil(areEdited, { timeout: 20_000, interval: 50 })
  expect(await newsroom.read()).toEqual({ slack: both, discord: both, email: both })
})
