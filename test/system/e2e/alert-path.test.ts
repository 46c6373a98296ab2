import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { type Newsroom, openNewsroom } from './newsroom.ts'
import { run } from './process.ts'

const models = ['chatgpt', 'claude', 'gemini', 'mistral', 'qwen']
const types = ['policy_change', 'censorship_spike']
const categories = ['political', 'safety', 'social']

/** Sixty different events; every fourth comes twice. */
const fired = Array.from({ length: 60 }, (_, index) => ({
  id: `evt_${String(index).padStart(3, '0')}`,
  type: types[index % 2],
  model: models[index % 5],
  category: categories[index % 3],
  delta: (index % 2 === 0 ? 1 : -1) * ((index % 12) + 0.5),
  repeat: index % 4 === 0 ? 2 : 1,
}))

let newsroom: Newsroom

beforeAll(async () => {
  newsroom = await openNewsroom({
    slack: 'models: [claude, gemini]',
    discord: 'categories: [political], minDelta: 5',
    email: 'events: [policy_change], direction: rise',
  })
})
afterAll(() => newsroom?.close())

test('75 deliveries, 15 of them repeats, to three channels: each gets exactly its own, in order, once', async () => {
  const serving = await newsroom.serve()
  for (const [index, event] of fired.entries()) {
    await newsroom.fire(event)
    const deliveries = fired.slice(0, index + 1).reduce((sum, { repeat }) => sum + repeat, 0)
    await vi.waitUntil(async () => (await newsroom.attempts()).length === deliveries, {
      timeout: 20_000,
      interval: 5,
    })
  }

  const statuses = (await newsroom.attempts()).map(({ status }) => status)
  expect(statuses.filter((status) => status === 202)).toHaveLength(60)
  expect(statuses.filter((status) => status === 200)).toHaveLength(15)

  const idsOf = (wanted: (event: (typeof fired)[number]) => boolean) =>
    fired.filter(wanted).map(({ id }) => id)
  const expected = {
    slack: idsOf(({ model }) => model === 'claude' || model === 'gemini'),
    discord: idsOf(({ category, delta }) => category === 'political' && Math.abs(delta) >= 5),
    email: idsOf(({ type, delta }) => type === 'policy_change' && delta > 0),
  }
  await vi.waitFor(async () => expect(await newsroom.read()).toEqual(expected), {
    timeout: 20_000,
    interval: 50,
  })

  const signed = JSON.stringify({ id: 'evt_forged', type: 'policy_change', model: 'claude' })
  const sign = (body: string, secret: string) => createHmac('sha256', secret).update(body).digest('hex')
  const post = async (body: string, headers: Record<string, string>) =>
    (await fetch(`${newsroom.origin}/webhook`, { method: 'POST', body, headers })).status
  expect(await post(signed, {})).toBe(401)
  expect(await post(signed, { 'x-service-signature': sign(signed, 'whsec_guessed') })).toBe(401)
  const altered = signed.replace('claude', 'gemini')
  expect(await post(altered, { 'x-service-signature': sign(signed, await newsroom.secret()) })).toBe(401)

  // What was sent is written down a moment after the provider has it.
  await vi.waitFor(explainsEverything)
  expect(await newsroom.read()).toEqual(expected)

  const text = await (await fetch(`${newsroom.origin}/metrics`)).text()
  expect(text).toContain('bluepencil_deliveries_received_total{outcome="accepted"} 60')
  expect(text).toContain('bluepencil_deliveries_received_total{outcome="duplicate"} 15')
  expect(text).toContain('bluepencil_deliveries_received_total{outcome="forged"} 2')
  expect(text).toContain(
    `bluepencil_notifications_total{channel="ai-desk",outcome="sent"} ${expected.slack.length}`,
  )

  expect(serving.stderr()).not.toContain(await newsroom.secret())
  expect(serving.stderr()).not.toContain('smtp-password')
  serving.kill('SIGTERM')
  expect(await serving.ended).toBe(0)
})

/** Beside the running service: a reason for every channel of every event. */
async function explainsEverything(): Promise<void> {
  const listed = await run(['events', '--config', newsroom.configFile, '--json', '--limit', '100'])
  const Row = z.object({
    entry: z.object({ id: z.string() }),
    outcomes: z.record(
      z.string(),
      z.object({ state: z.string(), why: z.string().optional(), rule: z.string().optional() }),
    ),
  })
  const rows = listed.stdout
    .trim()
    .split('\n')
    .map((line) => Row.parse(JSON.parse(line)))
  expect(rows.map(({ entry }) => entry.id).sort()).toEqual(fired.map(({ id }) => id))
  for (const { outcomes } of rows) {
    expect(Object.keys(outcomes).sort()).toEqual(['ai-desk', 'policy-mail', 'politics'])
    const unexplained = Object.values(outcomes).filter(({ state, rule, why }) => {
      return state !== 'sent' && (state !== 'not_sent' || !rule || !why)
    })
    expect(unexplained).toEqual([])
  }
  const explained = await run(['explain', 'evt_001', '--config', newsroom.configFile])
  expect(explained.stdout).toMatch(/ai-desk +sent +\S+Z, 1 try: C\w+\/[\d.]+/)
  expect(explained.stdout).toMatch(
    /politics +not sent +categories: the channel asks for political; the category is safety/,
  )
  expect(explained.stdout).toMatch(
    /policy-mail +not sent +events: the channel asks for policy_change; the type is censorship_spike/,
  )
  expect((await run(['explain', 'evt_nope', '--config', newsroom.configFile])).code).toBe(1)
}
