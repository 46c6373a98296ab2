import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { storedState } from '../../support/stored.ts'
import { type NewsroomHere, openNewsroomHere } from './newsroom-here.ts'
import { runHere } from './run-here.ts'

const models = ['chatgpt', 'claude', 'gemini', 'mistral', 'qwen']
const types = ['policy_change', 'censorship_spike']
const categories = ['political', 'safety', 'social']

/** Different events; every fourth comes twice. No channel gets more than ten, which would be a flood. */
const fired = Array.from({ length: 20 }, (_, index) => ({
  id: `evt_${String(index).padStart(3, '0')}`,
  type: types[index % 2],
  model: models[index % 5],
  category: categories[index % 3],
  delta: (index % 2 === 0 ? 1 : -1) * ((index % 12) + 0.5),
  repeat: index % 4 === 0 ? 2 : 1,
}))

/** The ids that each channel's readers see of these. */
function readersOf(events: typeof fired) {
  const idsOf = (wanted: (event: (typeof fired)[number]) => boolean) =>
    events.filter(wanted).map(({ id }) => id)
  return {
    slack: idsOf(({ model }) => model === 'claude' || model === 'gemini'),
    discord: idsOf(({ category, delta }) => category === 'political' && Math.abs(delta) >= 5),
    email: idsOf(({ type, delta }) => type === 'policy_change' && delta > 0),
  }
}

let newsroom: NewsroomHere

beforeAll(async () => {
  newsroom = await openNewsroomHere({
    slack: 'models: [claude, gemini]',
    discord: 'categories: [political], minDelta: 5',
    email: 'events: [policy_change], direction: rise',
  })
})
afterAll(() => newsroom?.close())

test('25 deliveries, 5 of them repeats, to three channels: each gets exactly its own, in order, once', async () => {
  for (const event of fired) await newsroom.fire(event)

  const statuses = newsroom.sandbox
    .deliveries()
    .map((attempt) => ('status' in attempt ? attempt.status : undefined))
  expect(statuses.filter((status) => status === 202)).toHaveLength(20)
  expect(statuses.filter((status) => status === 200)).toHaveLength(5)

  const expected = readersOf(fired)
  const signed = JSON.stringify({ id: 'evt_forged', type: 'policy_change', model: 'claude' })
  const sign = (body: string, secret: string) => createHmac('sha256', secret).update(body).digest('hex')
  const post = async (body: string, headers: Record<string, string>) =>
    (await fetch(`${newsroom.origin}/webhook`, { method: 'POST', body, headers })).status
  expect(await post(signed, {})).toBe(401)
  expect(await post(signed, { 'x-service-signature': sign(signed, 'whsec_guessed') })).toBe(401)
  const secret = storedSecret()
  const altered = signed.replace('claude', 'gemini')
  expect(await post(altered, { 'x-service-signature': sign(signed, secret) })).toBe(401)

  // What was sent is written down a moment after the provider has it.
  await vi.waitFor(explainsEverything)
  expect(await newsroom.read()).toEqual(expected)

  const text = await (await fetch(`${newsroom.origin}/metrics`)).text()
  expect(text).toContain('bluepencil_deliveries_received_total{outcome="accepted"} 20')
  expect(text).toContain('bluepencil_deliveries_received_total{outcome="duplicate"} 5')
  expect(text).toContain('bluepencil_deliveries_received_total{outcome="forged"} 2')
  expect(text).toContain(
    `bluepencil_notifications_total{channel="ai-desk",outcome="sent"} ${expected.slack.length}`,
  )

  for (const line of newsroom.log) {
    expect(line).not.toContain(secret)
    expect(line).not.toContain('smtp-password')
  }
})

function storedSecret(): string {
  const text = storedState(join(newsroom.configFile, '../data'))
  const secret = /"(whsec_[^"]+)"/.exec(text)?.[1]
  if (secret === undefined) throw new Error('no secret is stored')
  return secret
}

/** Beside the running service: a reason for every channel of every event. */
async function explainsEverything(): Promise<void> {
  const listed = await runHere(['events', '--config', newsroom.configFile, '--json', '--limit', '100'])
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
  const explained = await runHere(['explain', 'evt_001', '--config', newsroom.configFile])
  expect(explained.stdout).toMatch(/ai-desk +sent +\S+Z, 1 attempt: C\w+\/[\d.]+/)
  expect(explained.stdout).toMatch(
    /politics +not sent +categories: the channel gets only political; the category is safety/,
  )
  expect(explained.stdout).toMatch(
    /policy-mail +not sent +events: the channel gets only policy_change; the type is censorship_spike/,
  )
  expect((await runHere(['explain', 'evt_nope', '--config', newsroom.configFile])).code).toBe(1)
}
