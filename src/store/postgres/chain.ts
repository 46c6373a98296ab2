import { type ChainBatch, type ChainStore, noHead } from '../chain.ts'
import type { Database } from './database.ts'

const columns = 'number, at, up_to as "upTo", salt, count, digest, previous, head, links'
const newest = `select ${columns} from bluepencil.chain order by number desc limit 1`
const from = `select ${columns} from bluepencil.chain where number >= $1 order by number limit $2`
const holding = `select ${columns} from bluepencil.chain where up_to >= $1 order by up_to limit 1`

/** Where two processes add at the same time, the primary key lets one of them. */
const add = `
insert into bluepencil.chain (number, at, up_to, salt, count, digest, previous, head, links)
select $1::bigint, $2::text, $3::bigint, $4::text, $5::bigint, $6::text, $7::text, $8::text, $9::text
where $1::bigint = (select coalesce(max(number), 0) + 1 from bluepencil.chain)
  and $7::text = coalesce((select head from bluepencil.chain order by number desc limit 1), '${noHead}')
on conflict do nothing
returning number`

/** Of batches all of whose alerts are gone. */
export const forgetLinks = `
update bluepencil.chain set links = null
where links is not null
  and up_to < coalesce((select min(seq) from bluepencil.entries), ${Number.MAX_SAFE_INTEGER})`

export function createChain({ ask, transaction }: Pick<Database, 'ask' | 'transaction'>): ChainStore {
  const first = async (text: string, values?: readonly unknown[]) => (await ask<ChainBatch>(text, values))[0]
  return {
    newest: () => first(newest),
    from: (number, limit) => ask<ChainBatch>(from, [number, limit]),
    holding: (seq) => first(holding, [seq]),
    add({ number, at, upTo, salt, count, digest, previous, head, links }) {
      return transaction(async (inside) => {
        const values = [number, at, upTo, salt, count, digest, previous, head, links]
        return (await inside.ask(add, values)).length === 1
      })
    },
  }
}
