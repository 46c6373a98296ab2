import { type Figure, type FigureStore, type KnownSpan, mergedSpan, newFigures } from '../figures.ts'
import type { Database, RunQuery } from './database.ts'
import type { SqlDialect } from './dialect.ts'
import { figureColumns as columns, damaged, newSum, spanColumns, valuesOf } from './tables.ts'

type FigureRow = Omit<Figure, 'isSizeOfAll'> & { seq: number; isSizeOfAll: number; damaged: string | null }

function statementsOfFigures(d: SqlDialect) {
  const shown = `f.seq, f.service, f.model, f.category, f.series, f.measured as "measuredAt", f.part, f.rate, f.unit,
  f.sample_size as "sampleSize", f.size_of_all as "isSizeOfAll", f.version, f.seen as "seenAt", ${damaged(d, { f: 'figure' })}`
  const names = Object.keys(columns).join(', ')
  const ofSpan = Object.keys(spanColumns).join(', ')
  const before = (column: string) => `${column} < cast($1 as bigint)`
  return {
    read: `
select ${shown} from bluepencil.figures f
where f.service = $1 and ${d.any('f.model', 2)} and f.at >= $3 and f.category = coalesce($4, f.category)
order by f.seq`,
    /** The last value without a measured-at of each category, even if it is old. */
    lastUndated: `
select ${shown} from bluepencil.figures f
where f.seq in (
  select max(seq) from bluepencil.figures
  where service = $1 and ${d.any('model', 2)} and measured is null group by model, category, series, part
)`,
    series: `
select service, model, category from bluepencil.figures group by service, model, category
order by ${['service', 'model', 'category'].map(d.byteOrder).join(', ')}`,
    revised: `
select ${shown} from bluepencil.figures f
where f.measured is not null and exists (
  select 1 from bluepencil.figures o
  where o.service = f.service and o.model = f.model and o.at = f.at and o.category = f.category
    and o.series = f.series and o.part = f.part and o.measured = f.measured and o.seq <> f.seq
)
order by f.seq`,
    all: `select ${shown} from bluepencil.figures f where f.seq > $1 order by f.seq limit $2`,
    insert: `
insert into bluepencil.figures (${names}, sum)
select ${names}, ${newSum(d, 'figure', {}, 'new.')} from ${d.rows(columns)}`,
    spans: `
select s.service, s.model, s.category, s.source, s.since as "from", s.until as "to", ${damaged(d, { s: 'figure_span' })}
from bluepencil.figure_spans s
where s.service = coalesce($1, s.service) and (cast($3 as bigint) = 1 or ${d.any('s.model', 2)})`,
    writeSpans: `
insert into bluepencil.figure_spans (${ofSpan}, sum)
select ${ofSpan}, ${newSum(d, 'figure_span', {}, 'new.')} from ${d.rows(spanColumns)} where true
on conflict (service, model, category, source) do update set since = excluded.since, until = excluded.until, sum = excluded.sum`,
    dropSpans: `delete from bluepencil.figure_spans where ${before('until')}`,
    shortenSpans: `
update bluepencil.figure_spans set since = $1, sum = ${newSum(d, 'figure_span', { since: '$1' })}
where ${before('since')}`,
    count: `select count(*) as count from bluepencil.figures where ${before('at')}`,
    drop: `delete from bluepencil.figures where ${before('at')}`,
  }
}

export function createFigures({
  dialect,
  ask,
  transaction,
}: Pick<Database, 'dialect' | 'ask' | 'transaction'>): FigureStore {
  const statements = statementsOfFigures(dialect)

  return {
    add: ({ figures, spans }) =>
      transaction(async ({ ask: inside, writeRows, lock }) => {
        // Two processes read the same answer within a minute: it is one figure.
        lock({ on: 'state', key: 'figures' })
        const added: Figure[] = []
        for (const [service, read] of Map.groupBy(figures, (one) => one.service)) {
          const models = [...new Set(read.map(({ model }) => model))]
          const from = Math.min(...read.map(({ measuredAt, seenAt }) => measuredAt ?? seenAt))
          const last = await figuresIn(inside, statements.lastUndated, [service, models])
          const since = await figuresIn(inside, statements.read, [service, models, from, null])
          const dated = since.filter(({ measuredAt }) => measuredAt !== null)
          added.push(...newFigures([...last, ...dated], read))
        }
        const merged = await mergedSpans(inside, statements.spans, spans)
        writeRows(statements.insert, added.map(rowOf))
        writeRows(
          statements.writeSpans,
          merged.map(({ from: since, to: until, ...same }) =>
            valuesOf(spanColumns, { ...same, since, until }),
          ),
        )
        return added.length
      }),
    read: ({ service, model, category = null, from }) =>
      figuresIn(ask, statements.read, [service, [model], from, category]),
    series: () => ask(statements.series, []),
    revised: () => figuresIn(ask, statements.revised, []),
    spans: (of) => spansIn(ask, statements.spans, of?.service, of && [of.model]),
    async all({ after, limit }) {
      const rows = await ask<FigureRow>(statements.all, [after, limit])
      return rows.map((row) => ({ seq: row.seq, figure: figureOf(row) }))
    },
    dropBefore: (time) =>
      transaction(async ({ ask: inside, write }) => {
        const [row] = await inside<{ count: number }>(statements.count, [time])
        for (const text of [statements.drop, statements.dropSpans, statements.shortenSpans])
          write(text, [time])
        return row?.count ?? 0
      }),
  }
}

function rowOf({ measuredAt, sampleSize, isSizeOfAll, seenAt, ...same }: Figure): unknown[] {
  return valuesOf(columns, {
    ...same,
    measured: measuredAt,
    at: measuredAt ?? seenAt,
    sample_size: sampleSize,
    size_of_all: isSizeOfAll ? 1 : 0,
    seen: seenAt,
  })
}

function figureOf(row: FigureRow): Figure {
  const { seq: _, damaged: _none, isSizeOfAll, ...figure } = row
  return { ...figure, isSizeOfAll: isSizeOfAll === 1 }
}

async function figuresIn(ask: RunQuery, text: string, values: readonly unknown[]): Promise<Figure[]> {
  return (await ask<FigureRow>(text, values)).map(figureOf)
}

async function spansIn(
  ask: RunQuery,
  text: string,
  service?: string,
  models?: string[],
): Promise<KnownSpan[]> {
  const rows = await ask<KnownSpan & { damaged: string | null }>(text, [
    service ?? null,
    models ?? [],
    models === undefined ? 1 : 0,
  ])
  return rows.map((row) => {
    const { damaged: _, ...span } = row
    return span
  })
}

async function mergedSpans(ask: RunQuery, text: string, read: readonly KnownSpan[]): Promise<KnownSpan[]> {
  const keyOf = ({ service, model, category, source }: KnownSpan) =>
    JSON.stringify([service, model, category, source])
  const merged = new Map<string, KnownSpan>()
  for (const [service, ofService] of Map.groupBy(read, (one) => one.service)) {
    const models = [...new Set(ofService.map(({ model }) => model))]
    for (const stored of await spansIn(ask, text, service, models)) merged.set(keyOf(stored), stored)
  }
  const changed = new Set<string>()
  for (const span of read) {
    merged.set(keyOf(span), mergedSpan(merged.get(keyOf(span)), span))
    changed.add(keyOf(span))
  }
  return [...merged].filter(([key]) => changed.has(key)).map(([, span]) => span)
}
