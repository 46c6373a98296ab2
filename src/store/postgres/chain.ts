import { type ChainBatch, type ChainStore, noHead } from '../chain.ts'
import type { Database } from './database.ts'

const columns = 'number, at, up_to as "upTo", salt, count, digest, previous, begins, head, links'
const newest = `select ${columns} from bluepencil.chain order by number desc limit 1`
const from = `select ${columns} from bluepencil.chain where number >= $1 order by number limit $2`
const holding = `select ${columns} from bluepencil.chain where up_to >= $1 order by up_to limit 1`

/** Where two processes add at the same time, the primary key lets one of them. */
const add = `
insert into bluepencil.chain (number, at, up_to, salt, count, digest, previous, head, links, begins)
select $1::bigint, $2::text, $3::bigint, $4::text, $5::bigint, $6::text, $7::text, $8::text, $9::text, $10::text
from (
  select coalesce(max(number), 0) + 1 as next,
    coalesce((array_agg(head order by number desc))[1], '${noHead}') as head
  from (select number, head from bluepencil.chain order by number desc limit 1) as newest
) as behind
where $1::bigint > next or ($1::bigint = next and ($7::text = head or $10::text is not null))
on conflict do nothing
returning number`

/** Of batches all of whose alerts are gone. */
export const forgetLinks = `
update bluepencil.chain set links = null
where links is not null
  and up_to < coalesce((select min(seq) from bluepencil.entries), ${Number.MAX_SAFE_INTEGER})`

type Row = Omit<ChainBatch, 'begins'> & { begins: string | null }

export function createChain({ ask, transaction }: Pick<Database, 'ask' | 'transaction'>): ChainStore {
  const asked = async (text: string, values?: readonly unknown[]) =>
    (await ask<Row>(text, values)).map(
      ({ begins, ...batch }): ChainBatch => (begins === null ? batch : { ...batch, begins }),
    )
  const first = async (text: string, values?: readonly unknown[]) => (await asked(text, values))[0]
  return {
    newest: () => first(newest),
    from: (number, limit) => asked(from, [number, limit]),
    holding: (seq) => first(holding, [seq]),
    add({ number, at, upTo, salt, count, digest, previous, head, links, begins = null }) {
      return transaction(async (inside) => {
        const values = [number, at, upTo, salt, count, digest, previous, head, links, begins]
        return (await inside.ask(add, values)).length === 1
      })
    },
  }
}
