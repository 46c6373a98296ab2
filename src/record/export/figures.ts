import * as z from 'zod'
import { type Figure, type FigureStore, figureSeries, percentOf, slotOf } from '../../store/figures.ts'
import { number, text, time, timeText } from './fields.ts'

/** A published figure for programs: as it was first seen, or as it was revised. What the service does not say is null. */
export const FigureRecord = z
  .object({
    service: text('Host and path of the monitoring service that published it'),
    model: text('Identifier of the model, such as claude'),
    category: text('Category of the prompts, such as political; overall for all prompts'),
    series: z.enum(figureSeries).meta({
      description:
        'newest: the current figure. readings: a single reading of a history. days, weeks, months: the mean of such a span',
    }),
    measuredAt: time('When it was measured, or when its span began, by the clock of the service').nullable(),
    part: number('0, or its number among several with the same measuredAt').int(),
    percent: number('Refusal rate; percent. Empty if the unit is unknown').nullable(),
    published: number('The rate as the service wrote it'),
    unit: z.enum(['fraction', 'percent']).meta({ description: 'Unit of published' }).nullable(),
    prompts: number('Prompts behind it').int().nullable(),
    promptsOf: z
      .enum(['category', 'all'])
      .meta({
        description: 'all: the service only gives the number of all prompts, not of this category',
      })
      .nullable(),
    version: text('Version of the model, as the service labels it').nullable(),
    seenAt: time('When Bluepencil first read this value, by its own clock'),
    revision: number(
      '0 for the value that was seen first; 1 for the first value that replaced it, and so on',
    ).int(),
    changed: z
      .array(z.enum(['rate', 'prompts', 'version']))
      .meta({ description: 'What changed from the value before it' }),
    percentBefore: number('Refusal rate of the value before it; percent').nullable(),
    seenBefore: time('When the value before it was first read').nullable(),
    isCurrent: z.boolean().meta({ description: 'No later value replaces it' }),
  })
  .meta({
    description: 'Each published figure as it was first seen, and each later value of the same figure',
  })
export type FigureRecord = z.infer<typeof FigureRecord>

/** Which figures: measured in a span of time; milliseconds since the epoch, the end not included. */
export interface FigureSelection {
  from: number
  to: number
  model?: string | undefined
  category?: string | undefined
}

/** Where exports read figures. */
export type FigureReader = Pick<FigureStore, 'read' | 'series' | 'revised'>

/** By service, model and category, and then as they came; a batch for each category. */
export async function* figureRecords(
  figures: FigureReader,
  selection: FigureSelection,
): AsyncGenerator<FigureRecord[]> {
  for (const { service, model, category } of await figures.series()) {
    if (selection.model !== undefined && selection.model !== model) continue
    if (selection.category !== undefined && selection.category !== category) continue
    // The values of one figure have one time of measurement: all of them are in this answer, or none.
    const values = await figures.read({ service, model, category, from: selection.from })
    yield recordsOf(values.filter(({ measuredAt, seenAt }) => (measuredAt ?? seenAt) < selection.to))
  }
}

/** The figures that were published anew with another rate, in the order in which that was seen. */
export async function revisedFigures(figures: Pick<FigureReader, 'revised'>): Promise<FigureRecord[]> {
  return recordsOf(await figures.revised()).filter(({ changed }) => changed.includes('rate'))
}

/** How many of them were seen so in a span of time; milliseconds since the epoch, the end not included. */
export async function countRevisions(
  figures: Pick<FigureReader, 'revised'>,
  seen: { from: number; to: number },
): Promise<number> {
  const times = (await revisedFigures(figures)).map(({ seenAt }) => Date.parse(seenAt))
  return times.filter((at) => at >= seen.from && at < seen.to).length
}

/** Pure. `values` is in the order in which they came. */
function recordsOf(values: readonly Figure[]): FigureRecord[] {
  const last = new Map<string, { value: Figure; record: FigureRecord }>()
  return values.flatMap((value) => {
    // Without a measured-at each value was a reading of its own.
    const before = value.measuredAt === null ? undefined : last.get(slotOf(value))
    const changed = before === undefined ? [] : differences(before.value, value)
    if (before !== undefined && changed.length === 0) {
      // Only its unit is known by now: the service published nothing anew.
      Object.assign(before.record, { percent: knownPercent(value), unit: value.unit })
      before.value = value
      return []
    }
    if (before !== undefined) before.record.isCurrent = false
    const record: FigureRecord = {
      service: value.service,
      model: value.model,
      category: value.category,
      series: value.series,
      measuredAt: value.measuredAt === null ? null : timeText(value.measuredAt),
      part: value.part,
      percent: knownPercent(value),
      published: value.rate,
      unit: value.unit,
      prompts: value.sampleSize,
      promptsOf: value.sampleSize === null ? null : value.isSizeOfAll ? 'all' : 'category',
      version: value.version,
      seenAt: timeText(value.seenAt),
      revision: before === undefined ? 0 : before.record.revision + 1,
      changed,
      percentBefore: before?.record.percent ?? null,
      seenBefore: before?.record.seenAt ?? null,
      isCurrent: true,
    }
    last.set(slotOf(value), { value, record })
    return [record]
  })
}

function knownPercent(figure: Figure): number | null {
  return figure.unit === null ? null : percentOf(figure)
}

function differences(before: Figure, after: Figure): FigureRecord['changed'] {
  const isUnitKnown = before.unit !== null && after.unit !== null
  const isOtherRate = isUnitKnown ? percentOf(before) !== percentOf(after) : before.rate !== after.rate
  return [
    ...(isOtherRate ? (['rate'] as const) : []),
    ...(before.sampleSize === after.sampleSize && before.isSizeOfAll === after.isSizeOfAll
      ? []
      : (['prompts'] as const)),
    ...(before.version === after.version ? [] : (['version'] as const)),
  ]
}
