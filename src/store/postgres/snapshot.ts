import type { Source } from '../copy.ts'
import { createChain } from './chain.ts'
import { openDatabase } from './database.ts'
import { refused } from './failure.ts'
import { createReading } from './reading.ts'
import { readHorizon } from './retention.ts'
import { readState } from './state.ts'

/**
 * The store in a database as it is at one moment, whatever is accepted and sent meanwhile: one transaction that sees nothing later.
 * Throws `StoreRefused` where it cannot be read.
 */
export async function openPostgresSnapshot(url: string): Promise<Source & { close(): Promise<void> }> {
  const database = openDatabase(url)
  try {
    const { ask, end } = await database.snapshot()
    const { list, find } = createReading({ ask }, Date.now)
    return {
      list,
      find,
      chain: createChain({ ask, transaction: () => Promise.reject(new Error('it is only read')) }),
      readState: (key) => readState(ask, key),
      horizon: () => readHorizon(ask),
      async close() {
        await end()
        await database.close()
      },
    }
  } catch (cause) {
    await database.close()
    throw refused('the store in Postgres cannot be read', cause)
  }
}
