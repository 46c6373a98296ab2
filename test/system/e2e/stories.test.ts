import { describe, expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod'
import { signed } from '../../support/fakes/signed.ts'
import { postgresForTests } from '../../support/postgres/for-tests.ts'
import { type Newsroom, openNewsroom } from './newsroom.ts'
import { run } from './process.ts'

const storm = 500
const minuteMs = 60_000

/** A mail of which nobody can say whether it arrived comes again after minutes; not here. */
const soonAgain = {
  NODE_OPTIONS: `--import=${new URL('../../support/fakes/soon-again.ts', import.meta.url).href}`,
}

const Rows = z.array(
  z.object({
    entry: z.object({ id: z.string(), kind: z.string() }),
    outcomes: z.record(z.string(), z.object({ state: z.string(), in: z.string().optional() })),
  }),
)

const kinds = [
  { who: 'one process', count: 1 },
  { who: 'two processes on one Postgres', count: 2 },
]

describe.each(kinds)('$who', ({ count }) => {
  const others = Array.from({ length: count - 1 }, (_, index) => index + 1)
  const server = count > 1 ? postgresForTests() : undefined

  async function open(stories: string): Promise<Newsroom> {
    const replicas = server && { count, store: await server().create() }
    const newsroom = await openNewsroom({ slack: stories, discord: stories, email: stories }, 'off', replicas)
    onTestFinished(() => newsroom.close())
    return newsroom
  }

  test('a story that grows is one message in Slack and Discord, and a mail with a digest after it', {
    timeout: 240_000,
  }, async () => {
    const newsroom = await open('stories: { within: 1m }')
    const { slack, discord, smtp } = newsroom
    const serving = await newsroom.serve()
    for (const replica of others) await newsroom.serve({}, replica)
    const change = { type: 'censorship_spike', category: 'political' }
    const came = [
      { id: 'evt_a', model: 'claude', delta: 12 },
      { id: 'evt_b', model: 'gemini', delta: 8 },
      { id: 'evt_c', model: 'qwen', delta: -9 },
    ]
    for (const one of came) {
      await newsroom.fire({ ...change, ...one })
      // Of two replicas, the one that is asked later may be quicker.
      await vi.waitUntil(
        async () => (await run(['explain', one.id, '--config', newsroom.configFile])).code === 0,
        { timeout: 20_000, interval: 100 },
      )
    }
    const lead = 'Three models changed how many political prompts they refuse: two more, one fewer.'
    await vi.waitUntil(
      async () => {
        const [first] = await slack.read('ai-desk')
        const [there] = discord.posted(discord.channelId)
        return [first, there].every((message) => JSON.stringify(message ?? {}).includes(lead))
      },
      { timeout: minuteMs, interval: 100 },
    )
    await vi.waitUntil(() => smtp.messages().length > 0, { timeout: minuteMs, interval: 100 })
    expect(await newsroom.read()).toEqual({ slack: ['evt_a'], discord: ['evt_a'], email: ['evt_a'] })
    await vi.waitUntil(() => smtp.messages().length === 2, { timeout: 3 * minuteMs, interval: 500 })
    expect(smtp.messages()[1]?.raw).toMatch(/2 alerts from/)
    const { stdout } = await run(['explain', 'evt_b', '--config', newsroom.configFile])
    expect(stdout).toMatch(/ai-desk +told +in the message about evt_a/)
    expect(stdout).toMatch(/policy-mail +told +in the message about dgs_/)
    serving.kill()
    expect(await serving.ended).toBe(0)
  })

  test('a storm of 500 with kill -9 in the middle is five messages a minute, and each alert is accounted for', {
    timeout: 300_000,
  }, async () => {
    const newsroom = await open('stories: { within: 2h }')
    const { discord, smtp, slack } = newsroom
    const first = await newsroom.serve(soonAgain)
    for (const replica of others) await newsroom.serve(soonAgain, replica)
    const secret = await newsroom.secret()
    const began = Date.now()

    /** Until it is accepted, as the service would. */
    async function deliver(number: number): Promise<void> {
      const body = JSON.stringify({
        id: `evt_${number}`,
        type: 'censorship_spike',
        model: `model-${number}`,
        data: { category: `category-${number}`, delta: '+12pp', detected_at: new Date().toISOString() },
      })
      const headers = signed(body, secret)
      await vi.waitUntil(
        async () => {
          const answer = await fetch(`${newsroom.origin}/webhook`, { method: 'POST', body, headers }).catch(
            () => undefined,
          )
          return answer?.ok === true
        },
        { timeout: 60_000, interval: 200 },
      )
    }

    const half = Array.from({ length: storm / 2 }, (_, n) => n)
    await Promise.all(half.slice(0, 200).map(deliver))
    const inFlight = half.slice(200).map(deliver)
    first.kill('SIGKILL')
    await first.ended
    await newsroom.serve(soonAgain)
    await Promise.all([...inFlight, ...half.map((n) => deliver(n + storm / 2))])

    const rows = async () => {
      const { stdout } = await run(['events', '--json', '--limit', '1000', '--config', newsroom.configFile])
      return Rows.parse(
        stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      )
    }
    const settled = await vi.waitUntil(
      async () => {
        const all = await rows()
        const open = all
          .flatMap(({ outcomes }) => Object.values(outcomes))
          .filter(({ state }) => /waiting|held/.test(state))
        return open.length === 0 && all
      },
      { timeout: 4 * minuteMs, interval: 5_000 },
    )
    const alerts = settled.filter(({ entry }) => entry.kind === 'alert')
    const known = new Set(settled.map(({ entry }) => entry.id))
    expect(alerts).toHaveLength(storm)
    const lasted = Math.ceil((Date.now() - began) / minuteMs)
    for (const channel of ['ai-desk', 'politics', 'policy-mail']) {
      const there = alerts.map(({ outcomes }) => outcomes[channel])
      const sent = there.filter((one) => one?.state === 'sent').length
      expect(sent).toBeGreaterThanOrEqual(5)
      expect(sent).toBeLessThanOrEqual(5 * lasted)
      expect(
        there.every((one) => one?.state === 'sent' || (one?.state === 'told' && known.has(one.in ?? ''))),
      ).toBe(true)
    }
    const readers = [
      discord.posted(discord.channelId).length,
      smtp.messages().length,
      (await slack.read('ai-desk')).filter(({ metadata }) => !JSON.stringify(metadata ?? {}).includes('ntc_'))
        .length,
    ]
    for (const count of readers) expect(count).toBeLessThanOrEqual(5 * lasted)
  })
})
