import type { StorePlace } from '../store/place.ts'
import type { InspectedDatabase } from '../store/postgres/inspect.ts'
import type { Store } from '../store/store.ts'
import { CommandFailure } from './failure.ts'

type DatabasePlace = Extract<StorePlace, { is: 'database' }>

/** What the database of the configuration is like. Rejects with `StoreRefused`. */
export async function inspect(place: DatabasePlace): Promise<InspectedDatabase> {
  const { inspectDatabase } = await import('../store/postgres/inspect.ts')
  return inspectDatabase(place.url)
}

/** The store in it, which a command does not make. `running`: whether any `serve` works on it. */
export async function openDatabaseOf(place: DatabasePlace): Promise<{ store: Store; running: boolean }> {
  const { hasTables, processes } = await inspect(place)
  if (!hasTables) {
    throw new CommandFailure(
      `there is no store in ${place.name}; start serve once, or correct "store" of the configuration`,
    )
  }
  const { openPostgresStore } = await import('../store/postgres/open.ts')
  return { store: await openPostgresStore(place.url), running: processes > 0 }
}
