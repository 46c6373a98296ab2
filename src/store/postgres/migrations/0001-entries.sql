-- What was accepted, in the order of arrival. `id` and what names another entry are keys (keys.ts); times are milliseconds
-- since the epoch. The entry itself is text and not json: Postgres need not read it, and its json knows no U+0000.
create table bluepencil.entries (
  seq bigint primary key,
  id text not null,
  at bigint not null,
  detected bigint not null,
  content text,
  model text,
  way text,
  same_as text,
  revises text,
  confirms text,
  about text,
  leaders text[],
  entry text not null
)
