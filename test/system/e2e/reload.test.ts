import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { changeUnderLoad, replaceFile } from './changes-under-load.ts'
import { type Newsroom, openNewsroom } from './newsroom.ts'
import { type Running, run } from './process.ts'

let newsroom: Newsroom
let serving: Running
let original: string

beforeAll(async () => {
  const all = 'direction: both'
  newsroom = await openNewsroom({ slack: all, discord: all, email: all })
  original = readFileSync(newsroom.configFile, 'utf8')
  serving = await newsroom.serve()
}, 90_000)
afterAll(() => newsroom?.close())

/** Replaces what the tests before have left of the configuration. */
function change(from: string | RegExp, to: string): void {
  expect(original).toMatch(from)
  replaceFile(newsroom.configFile, original.replace(from, to))
}

async function readyz(): Promise<unknown> {
  return await (await fetch(`${newsroom.origin}/readyz`)).json()
}

/** Larger than all before it, so it is no part of a flood. */
const large = (id: string, delta: number) => ({
  id,
  type: 'censorship_spike',
  model: 'claude',
  category: 'political',
  delta,
})

test('changes under load lose, repeat and reorder nothing', async () => {
  const ids = await changeUnderLoad(newsroom, serving, { events: 12, period: 8 })
  expect(await newsroom.read()).toEqual({ slack: ids, discord: ids, email: ids })
})

test('a filter, a new channel and a removed one take effect, and pending messages are settled', async () => {
  newsroom.discord.script({ does: { answer: 503 }, on: 'POST', times: 1_000 })
  await newsroom.fire(large('evt_owed', 20))
  await vi.waitUntil(() =>
    serving.log().some((line) => line.channel === 'politics' && line.message === 'waiting'),
  )
  change(
    / {2}- \{ name: politics.*\n/,
    '  - { name: late, type: email, to: late@desk.example, models: [gemini] }\n',
  )
  serving.kill('SIGHUP')
  const channels = [{ name: 'ai-desk' }, { name: 'late' }, { name: 'policy-mail' }]
  await vi.waitFor(async () => expect(await readyz()).toMatchObject({ channels }))
  await newsroom.fire({ ...large('evt_late', 21), model: 'gemini' })
  await vi.waitUntil(
    () => newsroom.smtp.messages().filter(({ to }) => to.includes('late@desk.example')).length === 1,
  )
  const explained = await run(['explain', 'evt_owed', '--config', newsroom.configFile])
  expect(explained.stdout).toMatch(
    /politics +not sent +channel-removed: the channel was removed from the configuration/,
  )
})

test('a bad file keeps the configuration that is in force and says file, line and key', async () => {
  const line = original.split('\n').findIndex((one) => one.startsWith('operators')) + 1
  change('operators: [ai-desk]', 'operators: [desk]')
  const place = `${newsroom.configFile}:${line}:13: operators[0]: there is no channel called desk`
  await vi.waitUntil(() => serving.stderr().includes(place))
  expect(await readyz()).toMatchObject({
    status: 'degraded',
    troubles: [{ key: 'configuration', text: expect.stringContaining(place) }],
  })
  const notices = async () =>
    (await newsroom.slack.read('ai-desk'))
      .map((message) => JSON.stringify(message))
      .filter((text) => /changed configuration cannot be used|configuration file is in use/.test(text))
  await vi.waitUntil(async () => (await notices()).length === 1)
  await newsroom.fire(large('evt_meanwhile', 30))
  await vi.waitUntil(async () => (await newsroom.read()).slack.at(-1) === 'evt_meanwhile')
  // The file before it may have been taken up again until then, and not since.
  const tried = /^the configuration (is in use|was not changed)$/
  expect(serving.log().findLast(({ message }) => tried.test(String(message)))?.message).toBe(
    'the configuration was not changed',
  )

  replaceFile(newsroom.configFile, original)
  await vi.waitFor(async () => expect(await readyz()).toMatchObject({ status: 'ready' }))
  await vi.waitUntil(async () => (await notices()).length === 2)
  const [cannotBeUsed, again] = await notices()
  expect(cannotBeUsed).toContain('The changed configuration cannot be used')
  expect(again).toContain('The configuration file is in use again')
})
