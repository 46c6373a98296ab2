-- Lanes and roles: who has each, and who had it before. `turn` grows with each grant: letting go of an earlier one that comes
-- late changes nothing.
create table bluepencil.holds (
  name text primary key,
  session bigint,
  last bigint not null,
  before bigint,
  turn bigint not null default 1
)
