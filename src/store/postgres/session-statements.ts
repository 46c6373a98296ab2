/** How a session begins, lives and ends, and what it holds. */

export const begin = 'insert into bluepencil.sessions (host, ahead) values ($1, $2) returning id'

export const clocks = 'select host, ahead as "aheadMs" from bluepencil.sessions order by id'

/** `migrations`: those that an older Bluepencil may not know. */
export const beat = `
update bluepencil.sessions set seen = clock_timestamp(), ahead = $3 where id = $1
returning array(select name from bluepencil.migrations where name like '%' || $2) as migrations`

/** Whoever ends it waits until the transaction that asked has ended. */
export const alive = 'select id from bluepencil.sessions where id = $1 for key share'

/** What ended sessions had is free, and falls due. */
const free = `
freed as (
  update bluepencil.outcomes set lease = null, lease_session = null, ready = due
  where lease_session in (select id from ended)
),
open as (
  update bluepencil.holds set session = null where session in (select id from ended) returning name
)
select pg_notify('bluepencil', 'free') from (select count(*) as count from open) opened where count > 0`

/** `$1`: after how many milliseconds of silence. */
export const endSilent = `
with ended as (
  delete from bluepencil.sessions where seen < clock_timestamp() - $1 * interval '1 ms' returning id
), ${free}`

export const endOwn = `with ended as (delete from bluepencil.sessions where id = $1 returning id), ${free}`

/**
 * `before`: who had it last. What this session has already was granted in an answer that got lost: within a process nobody
 * asks for what another part of it has.
 */
export const grant = `
with me as (select id from bluepencil.sessions where id = $2 for key share)
insert into bluepencil.holds (name, session, last) select $1, id, id from me
on conflict (name) do update
set session = excluded.session, last = excluded.last, before = holds.last, turn = holds.turn + 1
where holds.session is null or holds.session = excluded.session
returning before, turn`

export const letGo = `
with open as (
  update bluepencil.holds set session = null
  from unnest($1::text[], $2::bigint[]) gone (name, turn)
  where holds.name = gone.name and holds.turn = gone.turn returning holds.name
)
select pg_notify('bluepencil', 'free') from (select count(*) as count from open) opened where count > 0`
