import type { CopySource } from '../copy.ts'
import { createChain } from '../sql/chain.ts'
import { postgres } from '../sql/dialect.ts'
import { refused } from '../sql/failure.ts'
import { createFigures } from '../sql/figures.ts'
import { createReading } from '../sql/reading.ts'
import { readHorizon } from '../sql/retention.ts'
import { readState } from '../sql/state.ts'
import { openDatabase } from './database.ts'

/**
 * The store in a database as it is at one moment, whatever is accepted and sent meanwhile: one transaction that sees nothing later.
 * Throws `StoreRefused` where it cannot be read.
 */
export async function openPostgresSnapshot(url: string): Promise<CopySource & { close(): Promise<void> }> {
  const database = openDatabase(url)
  try {
    const { ask, end } = await database.snapshot()
    const { list, find } = createReading({ ask, dialect: postgres }, Date.now)
    const transaction = () => Promise.reject(new Error('it is only read'))
    return {
      list,
      find,
      chain: createChain({ ask, dialect: postgres, transaction }),
      figures: createFigures({ ask, dialect: postgres, transaction }),
      readState: (key) => readState(ask, postgres, key),
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
