import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runAsLeader } from '../../../src/app/leader.ts'
import { systemClock } from '../../../src/platform/clock.ts'

test('a duty on a store that is closed asks once and no more: else nothing else would have its turn', async () => {
  let turns = 0
  const stop = runAsLeader('polling', {
    store: {
      async acquireLease() {
        turns += 1
        if (turns > 100) await new Promise(() => {})
        return undefined
      },
    },
    clock: systemClock,
    lead: () => Promise.reject(new Error('nothing was held')),
    onError(error) {
      throw error
    },
  })
  await setImmediate()
  expect(turns).toBe(1)
  await stop()
})
