import { onTestFinished } from 'vitest'
import * as z from 'zod'
import type { AlertEvent } from '../../../src/event/event.ts'
import { type Poller, type PollerParts, startPolling } from '../../../src/intake/poll/poll.ts'
import type { ModeDecision } from '../../../src/intake/poll/state.ts'
import { tierOf } from '../../../src/service/client/bucket.ts'
import { type BudgetStore, createBudget, memoryBudgetStore } from '../../../src/service/client/budget.ts'
import { MonitorClient } from '../../../src/service/client/client.ts'
import { type SandboxOptions, startSandbox } from '../../../src/service/sandbox/sandbox.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'

/** 10 minutes past the hour. */
export const start = Date.parse('2026-03-01T09:10:00.000Z')
export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

const models = ['chatgpt', 'claude', 'gemini', 'mistral', 'qwen']

const Requests = z.object({
  requests: z.array(z.object({ at: z.string(), path: z.string(), status: z.number().nullable() })),
  mostInAnHour: z.record(z.string(), z.number()),
})

/** The sandbox on a clock that the test moves, and a desk that polls it. */
export async function openDesk(
  options: Partial<SandboxOptions> & {
    poll?: Partial<PollerParts>
    /** The service does not have GET /monitoring/compare. */
    withoutCompare?: boolean
    /** Requests that are answered with 503, or with the status that it gives. */
    fails?: (url: string) => boolean | number
    /** The address whose answer a request gets. */
    answeredBy?: (url: string) => string
  } = {},
) {
  const {
    poll = {},
    withoutCompare = false,
    fails = () => false,
    answeredBy = (url) => url,
    ...sandboxOptions
  } = options
  const clock = createManualClock(start)
  const sandbox = await startSandbox({ port: 0, seed: 7, clock, ...sandboxOptions })
  onTestFinished(() => sandbox.close())

  const taken: AlertEvent[] = []
  const confirmed = new Set<string>()
  const notices: string[] = []
  const decisions: ModeDecision[] = []
  const errors: unknown[] = []
  let stored: unknown
  const budgetStore: BudgetStore = memoryBudgetStore()
  let looks = 0
  const asking = new Set<Promise<unknown>>()

  /** Requests with their answers, so that the test knows when none is under way. */
  async function counted(...[address, init]: Parameters<typeof fetch>): Promise<Response> {
    const url = address instanceof Request ? address.url : address.toString()
    const requested = withoutCompare ? url.replace('/monitoring/compare', '/monitoring/no/such/path') : url
    const failure = fails(url)
    if (failure !== false) return new Response('', { status: failure === true ? 503 : failure })
    const answered = fetch(answeredBy(requested), init).then(async (response) => {
      const text = await response.text()
      return new Response(response.status === 204 ? null : text, response)
    })
    asking.add(answered)
    return await answered.finally(() => asking.delete(answered))
  }

  function startPoller(changes: Partial<PollerParts> = {}): Poller {
    const begun = new Set<string>()
    const budget = createBudget({ tier: tierOf('free'), share: 'service', budgetStore, clock })
    const client = new MonitorClient({
      baseUrl: sandbox.url,
      apiKey: 'sandbox-free',
      budget,
      clock,
      tries: 1,
      fetch: counted,
    })
    const poller = startPolling({
      client,
      models,
      events: ['policy_change', 'censorship_spike'],
      tier: tierOf('free'),
      mode: 'auto',
      rates: 'auto',
      maySpend: async () => true,
      subscription: () => undefined,
      state: {
        read: async () => stored,
        async change(change) {
          stored = JSON.parse(JSON.stringify(change(stored)))
        },
      },
      clock,
      delivered: () => [],
      async accept(event) {
        if (event.confirms !== undefined) confirmed.add(event.confirms)
        if (event.confirms !== undefined || taken.some(({ id }) => id === event.id)) return 'duplicate'
        taken.push(event)
        return 'new'
      },
      incidents: {
        opens(key, { title, text }) {
          if (!begun.has(key)) notices.push(`${title}: ${text}`)
          begun.add(key)
        },
        resolves(key, text) {
          if (begun.delete(key)) notices.push(`over: ${text}`)
        },
        async once(_key, _episode, { title, text }) {
          notices.push(`${title}: ${text}`)
        },
      },
      onMode: (decision) => decisions.push(decision),
      onRound({ error }) {
        if (error !== undefined) errors.push(error)
        looks += 1
      },
      onError: (error) => errors.push(error),
      ...poll,
      ...changes,
    })
    onTestFinished(() => poller.stop())
    return poller
  }

  async function control(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${sandbox.origin}/_sandbox${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    return await response.json()
  }

  /** Lets time pass, look by look: none is still under way when the next one begins. */
  async function pass(poller: Poller, milliseconds: number): Promise<void> {
    const until = clock.now() + milliseconds
    await idle()
    while (clock.now() < until) {
      const { nextLook } = poller.status()
      const toNext = nextLook === null ? minuteMs : Math.max(Date.parse(nextLook) - clock.now(), 1_000)
      await clock.advance(Math.min(toNext, minuteMs, until - clock.now()))
      await idle()
    }
  }

  async function idle(): Promise<void> {
    do {
      await Promise.allSettled(asking)
      await clock.advance(0)
    } while (asking.size > 0)
  }

  return {
    clock,
    sandbox,
    /** What was found or withdrawn. */
    taken,
    /** The ids of what was confirmed. */
    confirmed,
    notices,
    decisions,
    errors,
    startPoller,
    pass,
    control,
    looks: () => looks,
    async requests() {
      return Requests.parse(await control('GET', '/requests'))
    },
  }
}
