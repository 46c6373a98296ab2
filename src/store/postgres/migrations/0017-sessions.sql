-- Processes that hold something. One that has not been seen for its term has ended.
create table bluepencil.sessions (
  id bigint primary key generated always as identity,
  seen timestamptz not null default clock_timestamp()
)
