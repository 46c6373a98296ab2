import {
  type Figure,
  type FigureStore,
  type KnownSpan,
  mergedSpan,
  newFigures,
  spanSince,
} from '../figures.ts'

/** In the order in which they came. */
export interface KnownFigures {
  rows: Figure[]
  spans: KnownSpan[]
}

/** The figures in memory, as one process has them. `asked` and `changed` answer for that process, or do not. */
export function figuresIn(
  known: KnownFigures,
  asked: <T>(answer: () => T) => Promise<T>,
  changed: <T>(work: () => T) => Promise<T>,
): FigureStore {
  const timeOf = ({ measuredAt, seenAt }: Figure) => measuredAt ?? seenAt
  const isOf = (one: { service: string; model: string }, other: { service: string; model: string }) =>
    one.service === other.service && one.model === other.model

  function addSpan(read: KnownSpan): void {
    const index = known.spans.findIndex(
      (one) => isOf(one, read) && one.category === read.category && one.source === read.source,
    )
    if (index === -1) known.spans.push({ ...read })
    else known.spans[index] = mergedSpan(known.spans[index], read)
  }

  return {
    add: ({ figures, spans }) =>
      changed(() => {
        const added = newFigures(known.rows, figures)
        known.rows.push(...structuredClone(added))
        for (const one of spans) addSpan(one)
        return added.length
      }),
    read: ({ category, from, asOf = Number.POSITIVE_INFINITY, ...of }) =>
      asked(() =>
        structuredClone(
          known.rows.filter(
            (one) =>
              isOf(one, of) &&
              timeOf(one) >= from &&
              one.seenAt <= asOf &&
              (category === undefined || one.category === category),
          ),
        ),
      ),
    spans: (of) =>
      asked(() => structuredClone(known.spans.filter((one) => of === undefined || isOf(one, of)))),
    all: ({ after, limit }) =>
      asked(() =>
        structuredClone(
          known.rows.slice(after, after + limit).map((figure, index) => ({ seq: after + index + 1, figure })),
        ),
      ),
    dropBefore: (time) =>
      changed(() => {
        const kept = known.rows.filter((one) => timeOf(one) >= time)
        const gone = known.rows.length - kept.length
        known.rows = kept
        known.spans = known.spans.flatMap((span) => spanSince(span, time) ?? [])
        return gone
      }),
  }
}
