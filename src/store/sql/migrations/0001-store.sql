-- Some lines are for one database alone: they begin with its name (sql/migrate.ts). Times are milliseconds since the epoch. `id`, `model`
-- and `named` are keys (sql/keys.ts). `sum` is a checksum of the row (SQLite); on Postgres it is null.

-- What was accepted, in the order of arrival. The entry itself is text and not json: Postgres need not read it, and its json knows no U+0000.
create table bluepencil.entries (
  seq /*sqlite: integer primary key autoincrement */ /*postgres: bigint primary key */,
  id text not null,
  at bigint not null,
  kind text not null,
  way text,
  type text,
  model text,
  category text,
  delta float8,
  detected bigint not null,
  received bigint not null,
  content text,
  entry text not null,
  sum text
);
-- No cache: what is accepted later has the higher number, whichever process accepts it.
/*postgres: create sequence bluepencil.entries_seq cache 1 owned by bluepencil.entries.seq; */
-- One event, once, whoever accepts it; `explain` and `find` read by it.
create unique index entries_id on bluepencil.entries (id);
-- What was accepted lately for a model by one way, for `decide`: backwards, as many rows as there are.
create index entries_near on bluepencil.entries (model, way, seq) where way is not null;

-- Lists are limited by these: no entry is read that is not shown.
create index entries_listed on bluepencil.entries (kind, seq, model, category, type, received);

-- The words of an entry (list-filter.ts): without case and accents already, and searched one by one.
/*sqlite: create virtual table search using fts5(words, content='', contentless_delete=1, detail=none, tokenize=ascii); */
/*postgres:
create table bluepencil.search (seq bigint primary key, words tsvector not null);
create index search_words on bluepencil.search using gin (words);
*/

-- What an entry says of others: `same`, `revises`, `confirms`, `story`, `about`. Hardly any entry names another, so it stays small.
create table bluepencil.relations (
  seq bigint not null,
  id text not null,
  kind text not null,
  named text not null,
  sum text,
  primary key (seq, kind, named)
);
create index relations_id on bluepencil.relations (id);
create index relations_named on bluepencil.relations (named);

-- What became of an entry on a channel. `place`: in which order the channels stand in the configuration. `due`: when it waits until or is
-- held until; `ready`: the same, 0 if it is due at once, or the end of its lease. An entry and its outcomes are written and dropped together.
create table bluepencil.outcomes (
  seq bigint not null,
  channel text not null,
  place bigint not null,
  state text not null,
  due bigint,
  ready bigint,
  lease text,
  lease_session bigint,
  outcome text not null,
  sum text,
  primary key (seq, channel)
);
-- The due notifications of a channel, oldest event first; what is sent leaves it.
create index outcomes_waiting on bluepencil.outcomes (channel, seq) where state = 'waiting';
-- When the next one of a channel falls due, asked before each message: one row of the index, however long the backlog.
create index outcomes_ready on bluepencil.outcomes (channel, ready) where state = 'waiting';
create index outcomes_held on bluepencil.outcomes (seq) where state = 'held';
create index outcomes_failed on bluepencil.outcomes (seq) where state = 'failed';
-- What a process that ended had leased.
create index outcomes_leased on bluepencil.outcomes (lease_session) where lease_session is not null;

-- Small state, by its key, as JSON; null if nothing was kept yet.
create table bluepencil.state (key text primary key, value text, sum text);

-- One row: which times retention believed (trusted-time.ts), the newest time of what it dropped, and the last number up to which it has
-- dropped entries. Above that, a number without an entry is damage.
create table bluepencil.clock (
  id integer primary key default 1 check (id = 1),
  believed bigint,
  last bigint,
  steady bigint,
  horizon bigint,
  dropped bigint not null default 0
);
insert into bluepencil.clock default values;

-- The hash chain over what was accepted (docs/evidence.md). `links`: of its alerts, until retention has dropped all of them. `begins`: where
-- a part of the chain was lost, what, and why, as a sentence.
create table bluepencil.chain (
  number bigint primary key,
  at text not null,
  up_to bigint not null,
  salt text not null,
  count bigint not null,
  digest text not null,
  previous text not null,
  head text not null,
  links text,
  begins text,
  sum text
);
-- Which batch has an event.
create index chain_up_to on bluepencil.chain (up_to);

-- For people: docs/run.md.
/*sqlite:
create view alerts as
select seq, id, datetime(at / 1000, 'unixepoch') as received, type, model, category, delta,
  case way when 'figures' then 'found by polling' else 'reported by the service' end as source
from entries where kind = 'alert';
create view outcomes_of_alerts as
select a.id, a.received, a.type, a.model, a.category, a.delta, o.channel, o.state,
  coalesce(o.outcome ->> 'why', o.outcome ->> 'rule', o.outcome ->> 'in') as reason, datetime(o.due / 1000, 'unixepoch') as due
from alerts a join outcomes o on o.seq = a.seq;
*/
/*postgres:
create view bluepencil.alerts as
select seq, id, to_timestamp(at / 1000.0) as received, type, model, category, delta,
  case way when 'figures' then 'found by polling' else 'reported by the service' end as source
from bluepencil.entries where kind = 'alert';
create view bluepencil.outcomes_of_alerts as
select a.id, a.received, a.type, a.model, a.category, a.delta, o.channel, o.state, to_timestamp(o.due / 1000.0) as due
from bluepencil.alerts a join bluepencil.outcomes o on o.seq = a.seq;

-- Processes that hold something. One that has not been seen for its term has ended. `ahead`: by how many milliseconds the clock of its
-- machine is ahead of the database's.
create table bluepencil.sessions (
  id bigint primary key generated always as identity,
  seen timestamptz not null default clock_timestamp(),
  host text not null,
  ahead bigint not null
);
-- Lanes and roles: who has each, and who had it before. `turn` grows with each grant: letting go of an earlier one that comes
-- late changes nothing.
create table bluepencil.holds (
  name text primary key,
  session bigint,
  last bigint not null,
  before bigint,
  turn bigint not null default 1
);
-- What each commit changed, for the other processes; a row is dropped after some minutes.
create table bluepencil.news (
  n bigint primary key generated always as identity,
  at timestamptz not null default clock_timestamp(),
  changes text not null
);
*/
