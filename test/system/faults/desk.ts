import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as realTime } from 'node:timers/promises'
import { onTestFinished, vi } from 'vitest'
import * as z from 'zod'
import { retryPolicy } from '../../../src/deliver/policy.ts'
import type { Outcome } from '../../../src/event/outcome.ts'
import { connectControl } from '../../../src/people/control/connect.ts'
import type { Control } from '../../../src/people/control/control.ts'
import { type AppOfTest, configOf, delivery, openApp } from '../../support/app.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'
import { signed } from '../../support/fakes/signed.ts'

const start = Date.parse('2026-11-21T13:00:00Z')
export const minute = 60_000
export const hour = 60 * minute

/** No try of any channel lasts longer: an e-mail's, which has ten minutes for its answer alone. */
const longestTry = 30 * minute

/** The whole program in this process, on a clock that the test moves; its store and its sockets are real. */
export interface Desk {
  /** Posts a signed delivery; answers the status. */
  deliver(id: string, changes?: object): Promise<number>
  /**
   * Moves from one try to the next until so many milliseconds are over; the date goes along. A try that gives no
   * answer within the patience, in real milliseconds, is left to the clock: it may be meant to hang.
   */
  pass(milliseconds: number, patienceMs?: number): Promise<void>
  /**
   * The same where no try is answered: the clock moves on when the providers have taken a message for every try that
   * was begun. `taken` counts these messages.
   */
  passUnanswered(milliseconds: number, taken: () => Promise<number>): Promise<void>
  /** Lets so many seconds pass one by one, each with some real time for the disk to answer in: until nothing is asked of it any more. */
  seconds(count: number, isAnswered?: () => boolean): Promise<void>
  /** Sets the time of day, and no timer: what an operator does, or a machine that had it wrong. */
  setTime(milliseconds: number): void
  now(): number
  /** Titles of the notices to operators, in order. */
  told(): string[]
  /** Waits for so many titles, and answers all of them. */
  hears(titles: number): Promise<string[]>
  /** What a console channel showed. */
  shown(channel: string): string[]
  /** The notices to operators, with their full text. */
  toldInFull(): string[]
  outcome(id: string, channel: string): Promise<Outcome | undefined>
  /** Asks for it to be sent again, as `replay` does. */
  replay(id: string, channel: string): Promise<void>
  /** Where the store is. */
  folder: string
  log(): Record<string, unknown>[]
  readyz(): Promise<unknown>
  /** Stops and starts on the same store, as after a configuration that needs it. */
  restart(): Promise<void>
}

/** `settings` is a configuration without what the desk gives: server, store, secret, and the operators' channel. */
export async function openDesk(settings: { channels: object[]; [key: string]: unknown }): Promise<Desk> {
  const folder = await mkdtemp(join(tmpdir(), 'bluepencil-faults-'))
  const clock = createManualClock(start)
  vi.useFakeTimers({ toFake: ['Date'], now: start })
  onTestFinished(() => void vi.useRealTimers())
  const opened = openApp({ clock })
  const { alerts: told, log: lines, shown } = opened
  const { channels, ...more } = settings
  const config = configOf(channels, { ...more, store: `file:${folder}` })
  let app: AppOfTest = await opened.start(config)
  const control = await controlOf(folder)
  onTestFinished(async () => {
    await stop()
    await rm(folder, { recursive: true, force: true })
  })

  async function stop(): Promise<void> {
    let stopped = false
    const stopping = app.stop().then(() => {
      stopped = true
    })
    // What hangs is cut off when the time that it is given is over.
    while (!stopped) await Promise.race([stopping, realTime(200).then(() => clock.advance(1_000))])
  }

  /**
   * When a channel will next try, by channel; not in the future if an attempt is under way. A wait that no
   * provider can have asked for means that the clock was set back, so it tries now.
   */
  async function tries(): Promise<number[]> {
    const [{ resting }, rows] = await Promise.all([control.status(), control.events({ limit: 200 })])
    const due = new Map<string, number>()
    for (const { outcomes } of rows) {
      for (const [channel, outcome] of Object.entries(outcomes)) {
        if (outcome.state !== 'waiting') continue
        due.set(channel, Math.min(due.get(channel) ?? Infinity, Date.parse(outcome.dueAt)))
      }
    }
    return [...due].map(([channel, at]) => {
      const rest = resting.find((one) => one.channel === channel)
      const isLate = at - clock.now() > retryPolicy.longestAskedMs
      return Math.max(isLate ? clock.now() : at, rest === undefined ? 0 : Date.parse(rest.until))
    })
  }

  /** Ends when no try is under way, and answers when the next will be; undefined where one lasts. */
  async function settled(patienceMs: number): Promise<number | undefined> {
    const patience = performance.now() + patienceMs
    for (;;) {
      const next = Math.min(...(await tries()))
      if (next > clock.now()) return next
      if (performance.now() > patience) return undefined
      await realTime(2)
    }
  }

  /** The same; meanwhile a little time passes, as what is due may wait for its channel's pace. */
  async function settledInTime(patienceMs: number): Promise<number | undefined> {
    let before = lines.length
    for (let spent = 0; spent < patienceMs; spent += 30) {
      const next = await settled(30)
      if (next !== undefined) return next
      await advance(250)
      if (lines.length > before) spent = 0
      before = lines.length
    }
    return undefined
  }

  /** How many tries of alerts there were, with those under way; undefined while one is about to begin. */
  async function begunTries(): Promise<number | undefined> {
    const [{ resting }, rows] = await Promise.all([control.status(), control.events({ limit: 200 })])
    const isResting = (channel: string) =>
      resting.some((rest) => rest.channel === channel && Date.parse(rest.until) > clock.now())
    let count = 0
    for (const [channel, outcome] of rows.flatMap((row) => Object.entries(row.outcomes))) {
      if (channel === 'ops' || !('attempts' in outcome)) continue
      const isUnderWay = outcome.state === 'waiting' && outcome.begun !== undefined
      const isDue = outcome.state === 'waiting' && Date.parse(outcome.dueAt) <= clock.now()
      if (isDue && !isUnderWay && !isResting(channel)) return undefined
      count += outcome.attempts + (isUnderWay ? 1 : 0)
    }
    return count
  }

  async function advance(milliseconds: number): Promise<void> {
    vi.setSystemTime(clock.now() + milliseconds)
    await clock.advance(milliseconds)
  }

  /** What is delivered again is the same, to the byte. */
  const bodies = new Map<string, string>()

  return {
    folder,
    now: clock.now,
    async deliver(id, changes = {}) {
      const body = bodies.get(id) ?? delivery(id, clock.now(), changes)
      bodies.set(id, body)
      const headers = signed(body)
      const answer = await fetch(`http://127.0.0.1:${app.port}/webhook`, { method: 'POST', body, headers })
      await answer.text()
      return answer.status
    },
    async pass(milliseconds, patienceMs = 20_000) {
      const end = clock.now() + milliseconds
      while (clock.now() < end) {
        const next = (await settledInTime(patienceMs)) ?? clock.now() + longestTry
        await advance(Math.max(0, Math.min(next, end) - clock.now()))
      }
      await settled(patienceMs)
    },
    async passUnanswered(milliseconds, taken) {
      const end = clock.now() + milliseconds
      while (clock.now() < end) {
        await until(async () => (await begunTries()) === (await taken()))
        const waits = (await tries()).map((at) => at - clock.now())
        const longest = waits.some((wait) => wait <= 0) ? minute : end - clock.now()
        await advance(Math.min(longest, end - clock.now(), ...waits.filter((wait) => wait > 0)))
      }
    },
    async seconds(count, isAnswered = () => true) {
      for (let second = 0; second < count; second++) {
        await advance(1_000)
        await realTime(20)
        await until(isAnswered)
      }
    },
    setTime(milliseconds) {
      vi.setSystemTime(milliseconds)
      clock.set(milliseconds)
    },
    told,
    async hears(titles) {
      await until(() => told().length >= titles)
      return told()
    },
    shown,
    toldInFull: () => shown('ops'),
    async outcome(id, channel) {
      return (await control.event(id))?.outcomes[channel]
    },
    async replay(id, channel) {
      await control.replay(id, channel)
    },
    log: () => lines.map((line) => z.record(z.string(), z.unknown()).parse(JSON.parse(line))),
    async readyz() {
      return (await fetch(`http://127.0.0.1:${app.port}/readyz`)).json()
    },
    async restart() {
      await stop()
      app = await opened.start(config)
    },
  }
}

async function controlOf(folder: string): Promise<Control> {
  const control = await connectControl(folder)
  if (control === undefined) throw new Error('the service does not answer')
  return control
}

/** Waits in real time, for what happens on sockets and disks. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const patience = performance.now() + 25_000
  while (!(await condition())) {
    if (performance.now() > patience) throw new Error(`waited in vain for ${condition.toString()}`)
    await realTime(2)
  }
}

/** The ids of the alerts in these texts, in their order. */
export function idsIn(texts: readonly unknown[]): string[] {
  return texts.flatMap(
    (text) => /evt_\w+/.exec(typeof text === 'string' ? text : JSON.stringify(text))?.[0] ?? [],
  )
}
