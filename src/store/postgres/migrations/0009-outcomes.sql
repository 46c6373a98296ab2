-- What became of an entry on a channel. `due`: when it waits until or is held until; `ready`: the same, or the end of its
-- lease. No foreign key: an entry and its outcomes are written and dropped together, by one statement each.
create table bluepencil.outcomes (
  seq bigint not null,
  channel text not null,
  state text not null,
  due bigint,
  ready bigint,
  lease text,
  lease_session bigint,
  outcome text not null,
  primary key (seq, channel)
)
