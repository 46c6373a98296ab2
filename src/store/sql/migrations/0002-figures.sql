-- Published figures as they were first seen; each revision is a row of its own, the last one counts. `series`: the newest reading,
-- or what a point of a history stands for (store/figures.ts). `measured` is null if the service does not say when; `at` is then when it
-- was first seen.
create table bluepencil.figures (
  seq /*sqlite: integer primary key autoincrement */ /*postgres: bigint primary key generated always as identity */,
  service text not null,
  model text not null,
  category text not null,
  series text not null,
  measured bigint,
  at bigint not null,
  part bigint not null,
  rate float8 not null,
  unit text,
  sample_size bigint,
  size_of_all bigint not null,
  version text,
  seen bigint not null,
  sum text
);
-- A chart reads ninety days of one model.
create index figures_of_model on bluepencil.figures (service, model, at);
-- The last of those without a time.
create index figures_undated on bluepencil.figures (service, model) where measured is null;
-- What is older than the retention.
create index figures_at on bluepencil.figures (at);

-- What is known to be all that the service has of a time, so that it is not asked for again.
create table bluepencil.figure_spans (
  service text not null,
  model text not null,
  category text not null,
  source text not null,
  since bigint not null,
  until bigint not null,
  sum text,
  primary key (service, model, category, source)
);

-- For people: docs/run.md.
/*sqlite:
create view published_figures as
select seq, service, model, category, series, datetime(measured / 1000, 'unixepoch') as measured,
  case unit when 'fraction' then round(rate * 100, 6) when 'percent' then rate end as percent, sample_size, version,
  datetime(seen / 1000, 'unixepoch') as seen
from figures;
*/
/*postgres:
create view bluepencil.published_figures as
select seq, service, model, category, series, to_timestamp(measured / 1000.0) as measured,
  case unit when 'fraction' then round((rate * 100)::numeric, 6)::float8 when 'percent' then rate end as percent, sample_size, version,
  to_timestamp(seen / 1000.0) as seen
from bluepencil.figures;
*/
