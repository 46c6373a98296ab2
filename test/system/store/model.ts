import fc from 'fast-check'
import { expect } from 'vitest'
import type { Outcome } from '../../../src/event/outcome.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { event, sent, start, waiting } from '../../contract/store.ts'
import { copyOf, temporaryFolder } from '../../unit/store/folder.ts'

const id = fc.integer({ min: 0, max: 25 }).map((n) => `e${n}`)
const outcome = fc.constantFrom<Outcome>(sent(), waiting(), {
  state: 'failed',
  at: new Date(start).toISOString(),
  attempts: 1,
  why: 'rejected',
})
const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('accept' as const),
      batches: fc.array(fc.array(id, { maxLength: 4 }), { maxLength: 4 }),
      outcome,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      ids: fc.array(id, { maxLength: 6 }),
      outcome,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('retain' as const) }) },
)

type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

/** Compares the store with a plain map, so many times: for random requests, closes and crashes. */
export async function holdAgainstMap(numRuns: number): Promise<void> {
  const first = await temporaryFolder()
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 30 }), async (actions) => {
      const real = await openReal(`${first}/run-${run++}`)
      const model = createModel()
      try {
        for (const step of actions) {
          expect(await real.perform(step)).toEqual(model.perform(step))
          expect(await real.seen()).toEqual(model.seen())
        }
      } finally {
        await real.close()
      }
    }),
    { numRuns },
  )
}

async function openReal(first: string) {
  const options = {
    now: () => start,
    onTrouble: (sentence: string) => {
      throw new Error(sentence)
    },
  }
  let folder = first
  let store = await openSqliteStore(folder, options)
  const opened = [store]

  return {
    async perform(step: Action): Promise<unknown> {
      if (step.do === 'accept') {
        const batches = step.batches.map((ids) => ids.map((one) => event(one, { desk: step.outcome })))
        return Promise.all(batches.map((batch) => store.accept(batch)))
      }
      if (step.do === 'settle') {
        return Promise.all(step.ids.map((one) => store.settle(one, 'desk', step.outcome)))
      }
      if (step.do === 'retain') return store.retain(start)
      if (step.do === 'reopen') await store.close()
      else folder = await copyOf(folder)
      store = await openSqliteStore(folder, options)
      opened.push(store)
      return undefined
    },
    async seen() {
      const listed = (await store.list({ limit: 100 })).toReversed()
      const owed = await store.pending('desk')
      return {
        events: listed.map(({ seq, entry, outcomes }) => [entry.id, seq, outcomes.desk]),
        owed: owed.map(({ seq }) => seq),
        backlog: (await store.backlog()).map((row) => row.waiting),
      }
    },
    async close() {
      for (const each of opened) await each.close()
    },
  }
}

function createModel() {
  const events = new Map<string, { seq: number; outcome: Outcome }>()

  function accept(one: string, outcome: Outcome): 'new' | 'duplicate' {
    if (events.has(one)) return 'duplicate'
    events.set(one, { seq: events.size + 1, outcome })
    return 'new'
  }

  function settle(one: string, outcome: Outcome): boolean {
    const row = events.get(one)
    if (row !== undefined) row.outcome = outcome
    return row !== undefined
  }

  return {
    perform(step: Action): unknown {
      if (step.do === 'accept') return step.batches.map((ids) => ids.map((one) => accept(one, step.outcome)))
      if (step.do === 'settle') return step.ids.map((one) => settle(one, step.outcome))
      return step.do === 'retain' ? 0 : undefined
    },
    seen() {
      const owed = [...events.values()].filter(({ outcome: { state } }) => state === 'waiting')
      return {
        events: [...events].map(([one, { seq, outcome }]) => [one, seq, outcome]),
        owed: owed.map(({ seq }) => seq),
        backlog: owed.length > 0 ? [owed.length] : [],
      }
    },
  }
}
