import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Outcome } from '../../src/event/outcome.ts'
import { openLowdbStore } from '../../src/store/lowdb/open.ts'
import type { Store } from '../../src/store/store.ts'
import { event, sent, start, waiting } from '../contract/store.ts'
import { copyOf, temporaryFolder } from './folder.ts'

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

it('does what a plain map would do, whatever it is asked, and through every close and crash', async () => {
  const first = await temporaryFolder()
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 30 }), async (actions) => {
      let folder = `${first}/run-${run++}`
      const options = {
        now: () => start,
        segmentSize: 3,
        onTrouble: (sentence: string) => {
          throw new Error(sentence)
        },
      }
      let store = await openLowdbStore(folder, options)
      const model = new Map<string, { seq: number; outcome: Outcome }>()
      let seq = 0
      const opened = [store]
      try {
        for (const step of actions) {
          if (step.do === 'accept') {
            const answers = step.batches.map((ids) =>
              store.accept(ids.map((one) => event(one, { desk: step.outcome }))),
            )
            for (const [index, ids] of step.batches.entries()) {
              const expected = ids.map((one) => {
                if (model.has(one)) return 'duplicate'
                seq += 1
                model.set(one, { seq, outcome: step.outcome })
                return 'new'
              })
              expect(await answers[index]).toEqual(expected)
            }
          } else if (step.do === 'settle') {
            const answers = await Promise.all(step.ids.map((one) => store.settle(one, 'desk', step.outcome)))
            expect(answers).toEqual(step.ids.map((one) => model.has(one)))
            for (const one of step.ids) {
              const known = model.get(one)
              if (known !== undefined) known.outcome = step.outcome
            }
          } else if (step.do === 'retain') {
            expect(await store.retain(start)).toBe(0)
          } else {
            if (step.do === 'reopen') await store.close()
            else folder = await copyOf(folder)
            store = await openLowdbStore(folder, options)
            opened.push(store)
          }
          await expectLike(store, model)
        }
      } finally {
        for (const one of opened) await one.close()
      }
    }),
    { numRuns: 60 },
  )
}, 60_000)

async function expectLike(
  store: Store,
  model: Map<string, { seq: number; outcome: Outcome }>,
): Promise<void> {
  const listed = (await store.list({ limit: 100 })).toReversed()
  expect(listed.map(({ seq, entry, outcomes }) => [entry.id, seq, outcomes.desk])).toEqual(
    [...model].map(([one, known]) => [one, known.seq, known.outcome]),
  )
  const owed = [...model.values()].filter(({ outcome: { state } }) => state === 'waiting')
  expect((await store.backlog()).map(({ waiting: count }) => count)).toEqual(
    owed.length > 0 ? [owed.length] : [],
  )
  const taken = await store.take('desk', { now: start, limit: 100, leaseMs: 0 })
  expect(taken.map(({ seq }) => seq)).toEqual(owed.map(({ seq }) => seq))
}
