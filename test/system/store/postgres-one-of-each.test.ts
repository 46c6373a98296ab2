import { afterEach, beforeEach, expect, test } from 'vitest'
import { createConfigRollout } from '../../../src/app/config-rollout.ts'
import { sharedTokens } from '../../../src/app/services.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { keepToken, readToken } from '../../../src/service/client/auth/token-store.ts'
import { openPostgresStore } from '../../../src/store/postgres/open.ts'
import type { Store } from '../../../src/store/store.ts'
import { postgresForTests } from '../../support/postgres/for-tests.ts'

const server = postgresForTests()
let url: string
const ends: (() => Promise<void>)[] = []

beforeEach(async () => {
  url = await server().create()
})
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function replica(): Promise<Store> {
  const store = await openPostgresStore(url)
  ends.push(() => store.close())
  return store
}

async function configured(mark: string) {
  const store = await replica()
  const generations = createConfigRollout({
    store,
    clock: systemClock,
    onError(error) {
      throw error
    },
  })
  const end = async () => {
    await generations.stop()
    await store.close()
  }
  ends.push(end)
  return { may: () => generations.maySettleRemoved(mark), end }
}

test('two replicas with two configurations: the newest writes off when the other has ended, and not before', async () => {
  const older = await configured('A')
  expect(await older.may()).toBe(true)
  const newer = await configured('B')
  expect([await newer.may(), await older.may()]).toEqual([false, false])
  await older.end()
  expect([await newer.may(), await newer.may()]).toEqual([false, true])
})

test('where the newest has ended, the earlier one does not write off yet', async () => {
  const older = await configured('A')
  await older.may()
  const newer = await configured('B')
  await newer.may()
  await newer.end()
  expect([await older.may(), await older.may(), await older.may()]).toEqual([false, false, false])
})

test('one replica at a time renews a token, and the next finds it', async () => {
  const all = [await replica(), await replica()].map((store) => sharedTokens(store, systemClock))
  let under = 0
  let most = 0
  let renewed = 0
  const renewals = [...all, ...all].map((tokens) =>
    tokens.alone(async () => {
      under += 1
      most = Math.max(most, under)
      const kept = await readToken(tokens, 'key')
      if (kept === undefined) {
        renewed += 1
        await keepToken(tokens, 'key', { value: 'token', renewAt: null, endsAt: null })
      }
      under -= 1
      return kept?.value
    }),
  )
  const values = await Promise.all(renewals)
  expect({ most, given: renewed }).toEqual({ most: 1, given: 1 })
  expect(values.filter((value) => value === 'token')).toHaveLength(3)
})
