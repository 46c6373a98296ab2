import { expect, test } from 'vitest'
import type { Notice } from '../../../src/event/event.ts'
import { type Incidents, startIncidents } from '../../../src/operators/incidents.ts'
import { checkRows } from '../../support/check-rows.ts'
import { chance } from '../../support/fakes/chance.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'
import { runs } from '../../support/runs.ts'

const start = Date.parse('2026-11-21T13:00:00Z')
const keys = ['store', 'channel:desk', 'polling']

/** Processes one after the other on the same disk, whose reports and writes can be held, refused and cut off by a kill. */
async function openOperators(random: () => number) {
  const clock = createManualClock(start)
  const ids = new Set<string>()
  const notices: Notice[] = []
  let disk: unknown
  let isCalm = false
  let alive = { incidents: undefined as Incidents | undefined }
  /** What is waiting to be released, each with what it does then. */
  let held: (() => void)[] = []

  /** After a failed write the store accepts nothing until one succeeds: state and notices are in one store. */
  let isRefusing = false

  /** Something that may be slow or fail. Its effect may come even if the process is killed before the answer. */
  async function risky(process: object, kind: 'state' | 'notice', effect: () => void): Promise<void> {
    const [slow, fails] = isCalm ? [false, false] : [random() < 0.5, random() < 0.3]
    if (slow) await new Promise<void>((resolve) => held.push(resolve))
    if (process !== alive) return new Promise(() => {})
    if (kind === 'state') isRefusing = fails
    if (fails || isRefusing) throw new Error('not stored')
    effect()
    if (!isCalm && random() < 0.3) await new Promise<void>((resolve) => held.push(resolve))
    if (process !== alive) return new Promise(() => {})
  }

  async function boot(): Promise<void> {
    const process: typeof alive = { incidents: undefined }
    alive = process
    process.incidents = await startIncidents({
      clock,
      acquireLease: async () => true,
      tallies: { read: async () => undefined, change: async () => {} },
      state: {
        read: async () => structuredClone(disk),
        change: (change) => {
          const snapshot = structuredClone(change(structuredClone(disk)))
          return risky(process, 'state', () => {
            disk = snapshot
          })
        },
      },
      alert: (notice) =>
        risky(process, 'notice', () => {
          if (!ids.has(notice.id)) notices.push(notice)
          ids.add(notice.id)
        }),
      onError: () => {},
    })
    process.incidents.startAlerting()
  }

  await boot()
  return {
    clock,
    notices,
    boot,
    incidents(): Incidents {
      if (alive.incidents === undefined) throw new Error('there is no process')
      return alive.incidents
    },
    letGo(all = false) {
      const some = held.filter(() => all || random() < 0.5)
      held = held.filter((one) => !some.includes(one))
      for (const release of some) release()
    },
    calm() {
      isCalm = true
      for (const release of held.splice(0)) release()
    },
  }
}

const seeds = Array.from({ length: runs().numRuns }, (_, index) => index + 1)

test('with any interruption, operators know in the end what is wrong: each seed', () =>
  checkRows(seeds, async (seed) => {
    const random = chance(seed)
    const operators = await openOperators(random)
    const isWrong = new Map(keys.map((key) => [key, false]))
    const history: string[] = []
    for (let step = 0; step < 60; step++) {
      const key = keys[Math.floor(random() * keys.length)] ?? ''
      const what = random()
      if (what < 0.3) {
        history.push(`${key} is wrong`)
        isWrong.set(key, true)
        operators.incidents().opens(key, { title: key, text: `step ${step}` })
      } else if (what < 0.55) {
        history.push(`${key} is well`)
        isWrong.set(key, false)
        operators.incidents().resolves(key, `step ${step}`)
      } else if (what < 0.8) {
        history.push('some is let go')
        operators.letGo()
        await operators.clock.advance(0)
      } else if (what < 0.93) {
        history.push('time passes')
        await operators.clock.advance(random() * 90_000)
      } else {
        history.push('killed, and started again')
        await operators.clock.advance(1)
        await operators.boot()
        // What is wrong, and what is well, shows again.
        for (const [one, wrong] of isWrong) {
          if (wrong) operators.incidents().opens(one, { title: one, text: 'again' })
          else operators.incidents().resolves(one, 'again')
        }
      }
    }
    operators.calm()
    for (let minutes = 0; minutes < 4; minutes++) await operators.clock.advance(60_000)

    for (const key of keys) {
      const phases = operators.notices.filter(({ about }) => about?.key === key)
      const context = `${key}: ${history.join(', ')}`
      expect({ context, last: phases.at(-1)?.phase ?? 'over' }).toEqual({
        context,
        last: isWrong.get(key) ? 'trouble' : 'over',
      })
      const expected = phases.map((_, index) => (index % 2 === 0 ? 'trouble' : 'over'))
      expect(phases.map(({ phase }) => phase)).toEqual(expected)
      const sinces = phases.map(({ about }) => about?.since)
      const ofEnds = sinces.filter((_, index) => index % 2 === 1)
      expect(ofEnds).toEqual(sinces.filter((_, index) => index % 2 === 0).slice(0, ofEnds.length))
    }
    const shown = operators.incidents().current()
    expect(shown.map(({ key }) => key).toSorted()).toEqual(keys.filter((key) => isWrong.get(key)).toSorted())
    await operators.incidents().stop()
  }))
