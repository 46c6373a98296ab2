import type { Config } from '../config/schema.ts'
import { systemClock } from '../platform/clock.ts'
import { tierOf } from '../service/client/bucket.ts'
import {
  type BudgetStore,
  createBudget,
  fileBudgetStore,
  rememberedBudgetStore,
} from '../service/client/budget.ts'
import { MonitorClient } from '../service/client/client.ts'
import { type StorePlace, storePlace } from '../store/place.ts'
import { openDatabaseOf } from './database.ts'

/** For commands: spends the quarter of the tier that is kept for people, which commands and chats share through a file beside the store, or in it. */
export function peopleClient(config: Config, monitor: NonNullable<Config['monitor']>): MonitorClient {
  const clock = systemClock
  const budgetStore = budgetStoreIn(storePlace(config.store))
  const budget = createBudget({ tier: tierOf(monitor.tier), share: 'people', budgetStore, clock })
  return new MonitorClient({ ...monitor, budget, clock })
}

function budgetStoreIn(place: StorePlace): BudgetStore {
  if (place.is === 'folder') return fileBudgetStore(place.folder, systemClock)
  let opening: ReturnType<typeof openDatabaseOf> | undefined
  const store = async () => {
    opening ??= openDatabaseOf(place)
    return (await opening).store
  }
  return rememberedBudgetStore(
    {
      read: async () => await (await store()).readState('people-budget'),
      change: async (change) => await (await store()).changeState('people-budget', change),
    },
    systemClock,
  )
}
