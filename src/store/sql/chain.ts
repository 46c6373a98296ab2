import { type ChainBatch, type ChainStore, follows } from '../chain.ts'
import type { Database, RunQuery } from './database.ts'
import type { SqlDialect } from './dialect.ts'
import { isConflict } from './failure.ts'
import { chainColumns, fromNew, newSum, valuesOf } from './tables.ts'

const columns = 'number, at, up_to as "upTo", salt, count, digest, previous, begins, head, links'
const newest = `select ${columns} from bluepencil.chain order by number desc limit 1`
const from = `select ${columns} from bluepencil.chain where number >= $1 order by number limit $2`
const holding = `select ${columns} from bluepencil.chain where up_to >= $1 order by up_to limit 1`

const add = (d: SqlDialect) =>
  d.insert('chain', { ...fromNew(chainColumns), sum: newSum(d, 'chain', {}, 'new.') }, chainColumns)

/** Of batches all of whose alerts are gone. What is damaged gets no new checksum. */
export const forgetLinks = (d: SqlDialect) => `
update bluepencil.chain set links = null, sum = ${newSum(d, 'chain', { links: 'null' })}
where links is not null and sum is ${newSum(d, 'chain', {})}
  and up_to < coalesce((select min(seq) from bluepencil.entries), ${Number.MAX_SAFE_INTEGER})`

type ChainRow = Omit<ChainBatch, 'begins'> & { begins: string | null }

export function createChain({
  ask,
  dialect,
  transaction,
}: Pick<Database, 'ask' | 'dialect' | 'transaction'>): ChainStore {
  const batchesOf = (text: string, values?: readonly unknown[]) => batches(ask, text, values)
  return {
    newest: async () => (await batchesOf(newest))[0],
    from: (number, limit) => batchesOf(from, [number, limit]),
    holding: async (seq) => (await batchesOf(holding, [seq]))[0],
    add: (batch) =>
      transaction(async (inside) => {
        const [last] = await batches(inside.ask, newest)
        if (!follows(batch, last)) return false
        const { upTo, begins = null, ...same } = batch
        inside.writeRows(add(dialect), [valuesOf(chainColumns, { ...same, up_to: upTo, begins })])
        return true
      }).catch((error: unknown) => {
        // Another process has added one at the same time: the primary key lets one of them.
        if (isConflict(error)) return false
        throw error
      }),
  }
}

async function batches(ask: RunQuery, text: string, values: readonly unknown[] = []): Promise<ChainBatch[]> {
  const rows = await ask<ChainRow>(text, values)
  return rows.map(({ begins, ...batch }) => (begins === null ? batch : { ...batch, begins }))
}
