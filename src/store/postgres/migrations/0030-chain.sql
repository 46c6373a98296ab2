-- The hash chain over what was accepted (docs/evidence.md). `links`: of its alerts, until retention has dropped all of them.
create table bluepencil.chain (
  number bigint primary key,
  at text not null,
  up_to bigint not null,
  salt text not null,
  count bigint not null,
  digest text not null,
  previous text not null,
  head text not null,
  links text
)
