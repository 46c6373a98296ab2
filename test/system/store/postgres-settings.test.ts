import { expect, test } from 'vitest'
import { settingsAt } from '../../../src/commands/configuration.ts'
import { storePlace } from '../../../src/store/place.ts'
import { openPostgresStore } from '../../../src/store/postgres/open.ts'
import { postgresForTests } from '../../support/postgres/for-tests.ts'

const databases = postgresForTests()

test('a database without tables, or in which nobody has set anything, has no settings and no damage', async () => {
  for (const url of [await databases().createEmpty(), await databases().create()]) {
    expect((await settingsAt(storePlace(url))).browser).toEqual({ made: {}, revision: 0 })
  }
})

test('what was made in the browser is read without opening the store; nonsense is damage', async () => {
  const url = await databases().create()
  const store = await openPostgresStore(url)
  await store.changeState('settings', () => ({ revision: 1, config: { revision: 1, retention: '30d' } }))
  expect((await settingsAt(storePlace(url))).browser).toEqual({ made: { retention: '30d' }, revision: 1 })
  await store.changeState('settings', () => ['nonsense'])
  expect((await settingsAt(storePlace(url))).browser.lost).toContain('they are damaged')
  await store.close()
})
