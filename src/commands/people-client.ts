import { join } from 'node:path'
import { storeFolder } from '../app/app.ts'
import { tierOf } from '../client/budget/bucket.ts'
import { createBudget } from '../client/budget/budget.ts'
import { fileBudgetStore } from '../client/budget/store.ts'
import { MonitorClient } from '../client/client.ts'
import { systemClock } from '../clock.ts'
import type { Config } from '../config/schema.ts'

/** For commands: spends the quarter of the tier that is kept for people, which commands share through a file beside the store. */
export function peopleClient(config: Config, monitor: NonNullable<Config['monitor']>): MonitorClient {
  const clock = systemClock
  const budgetStore = fileBudgetStore(join(storeFolder(config), 'people-budget.sqlite'), clock)
  const budget = createBudget({ tier: tierOf(monitor.tier), share: 'people', budgetStore, clock })
  return new MonitorClient({ ...monitor, budget, clock })
}
