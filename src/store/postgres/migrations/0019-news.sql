-- What each commit changed, for the other processes; a row is dropped after some minutes.
create table bluepencil.news (
  n bigint primary key generated always as identity,
  at timestamptz not null default clock_timestamp(),
  changes text not null
)
