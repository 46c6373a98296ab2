import type { Figure, FigureStore, KnownSpan } from './figures.ts'

/** So many are read and written at once. */
const atOnce = 2_000

type Source = Pick<FigureStore, 'all' | 'spans'>

/** All that were seen, in the order in which they came, but the first ones. */
export async function* figuresOf(figures: Source, skipped = 0): AsyncGenerator<Figure[]> {
  let left = skipped
  for (let after = 0; ; ) {
    const rows = await figures.all({ after, limit: atOnce })
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows.slice(left).map(({ figure }) => figure)
    left = Math.max(left - rows.length, 0)
    after = last.seq
  }
}

/** Spans in one order, whatever the store. */
export async function spansOf(figures: Source): Promise<KnownSpan[]> {
  const keyOf = ({ service, model, category, source }: KnownSpan) =>
    JSON.stringify([service, model, category, source])
  const spans = (await figures.spans()).map((one) => [keyOf(one), one] as const)
  return spans.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, span]) => span)
}

/** Copies all figures. Those that were copied before are the first ones, and are not written again. */
export async function copyFigures(from: Source, to: FigureStore): Promise<void> {
  let copied = 0
  for await (const figures of figuresOf(to)) copied += figures.length
  for await (const figures of figuresOf(from, copied)) await to.add({ figures, spans: [] })
  await to.add({ figures: [], spans: await spansOf(from) })
}
