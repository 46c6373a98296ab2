import { readFileSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Newsroom, openNewsroom } from './newsroom.ts'
import { type Running, run } from './process.ts'

let newsroom: Newsroom
let serving: Running

beforeEach(async () => {
  newsroom = await openNewsroom({
    slack: 'direction: both',
    discord: 'direction: both',
    email: 'direction: both',
  })
  serving = await newsroom.serve()
})
afterEach(() => newsroom?.close())

function change(from: string | RegExp, to: string): void {
  const text = readFileSync(newsroom.configFile, 'utf8')
  expect(text).toMatch(from)
  writeFileSync(newsroom.configFile, text.replace(from, to))
}

function logged(message: string): () => boolean {
  const before = serving.log().filter((line) => line.message === message).length
  return () => serving.log().filter((line) => line.message === message).length > before
}

const inForce = 'the configuration is in force'
const event = (id: string) => ({
  id,
  type: 'censorship_spike',
  model: 'claude',
  category: 'political',
  delta: 6,
})

test('changes under load lose, repeat and reorder nothing', { timeout: 90_000 }, async () => {
  const ids = Array.from({ length: 60 }, (_, index) => `evt_${String(index).padStart(3, '0')}`)
  let isInForce = logged(inForce)
  for (const [index, id] of ids.entries()) {
    if (index % 20 === 10) change(/minDelta: \d+|direction: both/, `minDelta: ${index / 10}`)
    if (index % 20 === 15) {
      isInForce = logged(inForce)
      serving.kill('SIGHUP')
    }
    await newsroom.fire(event(id))
    await vi.waitUntil(async () => (await newsroom.attempts()).length === index + 1, {
      timeout: 10_000,
      interval: 5,
    })
  }
  await vi.waitUntil(isInForce, { timeout: 10_000 })
  await vi.waitFor(
    async () => expect(await newsroom.read()).toEqual({ slack: ids, discord: ids, email: ids }),
    {
      timeout: 30_000,
      interval: 100,
    },
  )
})

test('a filter, a new channel and one that is gone take effect, and what was owed is accounted for', async () => {
  newsroom.discord.script({ does: { answer: 503 }, on: 'POST', times: 1_000 })
  await newsroom.fire(event('evt_1'))
  await vi.waitUntil(() =>
    serving.log().some((line) => line.channel === 'politics' && line.message === 'waiting'),
  )
  const changed = logged(inForce)
  change(
    / {2}- \{ name: politics.*\n/,
    '  - { name: late, type: email, to: late@desk.example, models: [gemini] }\n',
  )
  serving.kill('SIGHUP')
  await vi.waitUntil(changed, { timeout: 15_000 })
  await newsroom.fire({ ...event('evt_2'), model: 'gemini' })
  await vi.waitUntil(
    () => newsroom.smtp.messages().filter(({ to }) => to.includes('late@desk.example')).length === 1,
    {
      timeout: 10_000,
    },
  )
  const explained = await run(['explain', 'evt_1', '--config', newsroom.configFile])
  expect(explained.stdout).toMatch(/politics +not sent +channel-removed: the channel left the configuration/)
  expect(await (await fetch(`${newsroom.origin}/readyz`)).json()).toMatchObject({
    channels: [{ name: 'ai-desk' }, { name: 'late' }, { name: 'policy-mail' }],
  })
})

test('a bad file keeps the configuration that is in force and says file, line and key', async () => {
  const text = readFileSync(newsroom.configFile, 'utf8')
  const line = text.split('\n').findIndex((one) => one.startsWith('operators')) + 1
  change('operators: [ai-desk]', 'operators: [desk]')
  const place = `${newsroom.configFile}:${line}:13: operators[0]: there is no channel called desk`
  await vi.waitUntil(() => serving.stderr().includes(place), { timeout: 10_000 })
  expect(await (await fetch(`${newsroom.origin}/readyz`)).json()).toMatchObject({
    status: 'degraded',
    troubles: [{ key: 'configuration', text: expect.stringContaining(place) }],
  })
  const told = async () => (await newsroom.slack.read('ai-desk')).map((message) => JSON.stringify(message))
  await vi.waitUntil(async () => (await told()).length === 1, { timeout: 10_000 })
  await newsroom.fire(event('evt_1'))
  await vi.waitUntil(async () => (await newsroom.read()).slack.length === 1, { timeout: 10_000 })

  writeFileSync(newsroom.configFile, text)
  const readyz = async () => (await fetch(`${newsroom.origin}/readyz`)).json()
  await vi.waitFor(async () => expect(await readyz()).toMatchObject({ status: 'ready' }), { timeout: 10_000 })
  await vi.waitUntil(async () => (await told()).length === 3, { timeout: 10_000 })
  expect((await told())[0]).toContain('The changed configuration cannot be used')
  expect((await told())[2]).toContain('Resolved: The changed configuration cannot be used')
})
