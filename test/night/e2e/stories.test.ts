import { describe, expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod'
import { signed } from '../../support/fakes/signed.ts'
import { postgresForTests } from '../../support/postgres/for-tests.ts'
import { grown, growStory } from '../../system/e2e/growing-story.ts'
import { type Newsroom, openNewsroom } from '../../system/e2e/newsroom.ts'
import { run } from '../../system/e2e/process.ts'

const storm = 500
const minuteMs = 60_000

/** A mail that may have arrived comes again after minutes; not here. */
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

  test.runIf(count > 1)(
    'a story that grows is one message in Slack and Discord, and mails of their own',
    {
      timeout: 240_000,
    },
    async () => {
      const newsroom = await open('stories: { within: 1m }')
      const serving = await newsroom.serve()
      for (const replica of others) await newsroom.serve({}, replica)
      const explain = (id: string) => run(['explain', id, '--config', newsroom.configFile])
      await growStory(newsroom, explain)
      expect(await newsroom.read()).toEqual(grown)
      // What became of it is written down a moment after the provider has it.
      await vi.waitFor(async () => {
        const { stdout } = await explain('evt_b')
        expect(stdout).toMatch(/ai-desk +merged +in the message about evt_a/)
        expect(stdout).toMatch(/policy-mail +sent/)
      })
      serving.kill()
      expect(await serving.ended).toBe(0)
    },
  )

  test('a storm of 500 with kill -9 in the middle is ten messages and one that is asked for, and each alert is accounted for', {
    timeout: 300_000,
  }, async () => {
    const newsroom = await open('stories: { within: 2h }')
    const { discord, smtp, slack } = newsroom
    const first = await newsroom.serve(soonAgain)
    for (const replica of others) await newsroom.serve(soonAgain, replica)
    const secret = await newsroom.secret()

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
    const stateOf = async (state: RegExp) =>
      (await rows()).filter(({ outcomes }) => Object.values(outcomes).some((one) => state.test(one.state)))
    await vi.waitUntil(async () => (await stateOf(/waiting/)).length === 0, {
      timeout: 2 * minuteMs,
      interval: 2_000,
    })
    const channels = ['ai-desk', 'politics', 'policy-mail']
    const held = await stateOf(/held/)
    expect(held.length).toBeGreaterThanOrEqual(storm - 10 * channels.length)
    // It would come ten minutes after the first, at the latest.
    for (const channel of channels) {
      const { stdout, stderr } = await run(['send-held', channel, '--config', newsroom.configFile])
      expect([stdout, stderr]).toEqual([expect.stringMatching(/^490 held alerts go to/), ''])
    }
    await vi.waitUntil(async () => (await stateOf(/waiting|held/)).length === 0, {
      timeout: minuteMs,
      interval: 1_000,
    })
    const settled = await rows()
    const alerts = settled.filter(({ entry }) => entry.kind === 'alert')
    const digests = new Set(settled.flatMap(({ entry }) => (entry.kind === 'digest' ? [entry.id] : [])))
    expect([alerts.length, digests.size]).toEqual([storm, channels.length])
    for (const channel of channels) {
      const there = alerts.map(({ outcomes }) => outcomes[channel])
      expect(there.filter((one) => one?.state === 'sent')).toHaveLength(10)
      expect(there.filter((one) => one?.state === 'merged' && digests.has(one.in ?? ''))).toHaveLength(
        storm - 10,
      )
    }
    const readers = [
      discord.posted(discord.channelId).length,
      (await slack.read('ai-desk')).filter(({ metadata }) => !JSON.stringify(metadata ?? {}).includes('ntc_'))
        .length,
    ]
    expect(readers).toEqual([11, 11])
    // Nobody can be asked whether a mail arrived: those that were on their way at the kill come again.
    expect(smtp.messages().length).toBeGreaterThanOrEqual(11)
    expect(smtp.messages().length).toBeLessThanOrEqual(21)
  })
})
