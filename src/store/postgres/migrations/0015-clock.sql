-- One row: which times retention believed (trusted-time.ts), and the newest time of what it dropped.
create table bluepencil.clock (
  id boolean primary key default true check (id),
  believed bigint,
  last bigint,
  steady bigint,
  horizon bigint
)
