import { expect, test } from 'vitest'
import { createChaining } from '../../../src/app/upkeep.ts'
import { minuteMs } from '../../../src/platform/durations.ts'
import type { ChainStore } from '../../../src/store/chain.ts'
import { chainAll } from '../../support/chain-all.ts'
import { alert } from '../../support/fakes/events.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../support/memory-store.ts'

/** One alert is chained; so many that came since are not. */
async function open(since = 1) {
  const clock = createManualClock(Date.parse('2026-11-23T03:00:00.000Z'))
  const store = createMemoryBacking(clock).open()
  const toStore = (id: string) => ({ entry: alert({ id }), outcomes: {} })
  await store.accept([toStore('evt_1')])
  await chainAll({ store, now: clock.now })
  await store.accept(Array.from({ length: since }, (_, index) => toStore(`evt_since_${index}`)))
  const reported: string[] = []
  const ending = new AbortController()
  let lostAfter = Number.POSITIVE_INFINITY
  let takesMs = 0
  const chain: ChainStore = {
    ...store.chain,
    newest: async () => (lostAfter-- > 0 ? store.chain.newest() : undefined),
    async add(batch) {
      clock.set(clock.now() + takesMs)
      lostAfter = Number.POSITIVE_INFINITY
      return store.chain.add(batch)
    },
  }
  const incidents = { once: async (_: string, what: string) => void reported.push(what) }
  const round = createChaining({ store: { ...store, chain }, clock, incidents })
  return {
    clock,
    reported,
    round: () => round(ending.signal),
    end: () => ending.abort(),
    added: () => store.chain.from(2, 9),
    /** From the next time but so many on that somebody asks for the newest batch, until one is added. */
    lose: (after: number) => (lostAfter = after),
    eachTakes: (milliseconds: number) => (takesMs = milliseconds),
  }
}

test('after a batch that took long, what was lost is reported within a minute', async () => {
  const { clock, reported, round, end, added, lose, eachTakes } = await open(1_000)
  eachTakes(10_000)
  const ended = round()
  await expect.poll(() => clock.sleeping()).toBe(1)
  expect(await added()).toHaveLength(1)
  lose(0)
  await clock.advance(minuteMs)
  expect(reported).toEqual(['batches 1 to 2 were lost: the whole chain was missing'])
  end()
  await ended
})

test('what is lost right behind the check begins no stretch before it is reported', async () => {
  const { reported, round, added, lose } = await open()
  // The check asks twice.
  lose(2)
  await round()
  expect([reported, await added()]).toEqual([[], []])
  lose(0)
  await round()
  const lost = 'batch 1 was lost: the whole chain was missing'
  expect(reported).toEqual([lost])
  expect(await added()).toMatchObject([{ number: 2, begins: lost }])
})
