import pg from 'pg'
import { openPostgresStore } from '../src/store/postgres/open.ts'
import { settled } from './fill.ts'

/** Between two events, in milliseconds: a million of them stay within the usual retention of 90 days. */
const apartMs = 5_000

/** As the first, but for their ids and times, oldest first. */
const entries = `
insert into bluepencil.entries (seq, at, id, kind, way, type, model, category, delta, detected, received, content, entry)
select nextval('bluepencil.entries_seq'), at - n * ${apartMs}, 'evt_f' || n, kind, way, type, model, category, delta,
  detected - n * ${apartMs}, received - n * ${apartMs}, md5(n::text), replace(entry, first.id, 'evt_f' || n)
from generate_series($1::bigint, 1, -1) n, bluepencil.entries first where first.seq = $2`

const outcomes = `
insert into bluepencil.outcomes (seq, channel, place, state, due, ready, outcome)
select e.seq, o.channel, o.place, o.state, o.due, o.ready, o.outcome
from bluepencil.entries e, bluepencil.outcomes o where o.seq = $1 and e.seq > $1`

/** What is accepted from now on is chained; what was before counts as chained, or the load would share the machine with that. */
const chain = `
insert into bluepencil.chain (number, at, up_to, salt, count, digest, previous, head)
select 1, '', max(seq), '', count(*), '', '', '' from bluepencil.entries`

/** Makes the tables of a database, and fills them with so many events, each settled on three channels. */
export async function fillPostgres(url: string, count: number): Promise<void> {
  const store = await openPostgresStore(url)
  const id = 'evt_01HZX00000000000000000'
  await store.accept([settled(id, Date.now())])
  const seq = (await store.list({ limit: 1 }))[0]?.seq
  await store.close()
  const client = new pg.Client(url)
  await client.connect()
  await client.query(entries, [count - 1, seq])
  await client.query(outcomes, [seq])
  await client.query(chain)
  await client.query('analyze bluepencil.entries, bluepencil.outcomes')
  await client.query('checkpoint')
  await client.end()
}
