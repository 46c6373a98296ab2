import { expect, it } from 'vitest'
import { dayMs, hourMs } from '../../src/platform/durations.ts'
import { type Figure, type FigureQuery, type KnownSpan, lastOf } from '../../src/store/figures.ts'
import type { Store } from '../../src/store/store.ts'

interface Ground {
  store(): Store
  reopen(): Promise<Store>
  /** What would be there if the process ended now, without a word. */
  afterCrash(): Promise<Store>
}

const seenAt = Date.parse('2026-11-21T13:05:00.000Z')
const measuredAt = Date.parse('2026-11-21T12:00:00.000Z')
const of = { service: 'service.example/v1', model: 'claude' }
const all = { ...of, from: 0 }

export function figure(changes: Partial<Figure> = {}): Figure {
  return {
    ...of,
    category: 'political',
    series: 'newest',
    measuredAt,
    part: 0,
    rate: 0.18,
    unit: 'fraction',
    sampleSize: 500,
    isSizeOfAll: false,
    version: '3.3',
    seenAt,
    ...changes,
  }
}

function span(from: number, to: number, changes: Partial<KnownSpan> = {}): KnownSpan {
  return { ...of, category: 'political', source: 'history', from, to, ...changes }
}

/** What every store promises of published figures. */
export function describeFigures({ store, reopen, afterCrash }: Ground): void {
  const add = (...figures: Figure[]) => store().figures.add({ figures, spans: [] })
  const rates = async (query: Partial<FigureQuery> = {}) =>
    (await store().figures.read({ ...all, ...query })).map(({ rate }) => rate)

  it('keeps a figure once, as it was first seen, also after a restart and a crash', async () => {
    const smallest = figure({ sampleSize: null, isSizeOfAll: true, version: null, unit: null })
    expect(await add(smallest)).toBe(1)
    expect(await add({ ...smallest, seenAt: seenAt + hourMs })).toBe(0)
    expect(await store().figures.read(all)).toEqual([smallest])
    expect(await (await afterCrash()).figures.read(all)).toEqual([smallest])
    expect(await (await reopen()).figures.read(all)).toEqual([smallest])
    expect(await add({ ...smallest, seenAt: seenAt + 2 * hourMs })).toBe(0)
  })

  it('keeps each revision, also one that takes another back', async () => {
    const seen = [0.18, 0.3, 0.18].map((rate, hours) => figure({ rate, seenAt: seenAt + hours * hourMs }))
    for (const each of seen) expect(await add(each)).toBe(1)
    expect(await rates()).toEqual([0.18, 0.3, 0.18])
    expect(lastOf(await store().figures.read(all))).toEqual([seen[2]])
    expect(await add(figure({ sampleSize: 480, seenAt: seenAt + 3 * hourMs }))).toBe(1)
    expect(await add(figure({ sampleSize: 480, version: '3.4', seenAt: seenAt + 4 * hourMs }))).toBe(1)
  })

  it('lists what there are figures of, and every value of those that have more than one', async () => {
    const [first, other] = [figure(), figure({ measuredAt: measuredAt + hourMs, category: 'safety' })]
    const second = figure({ rate: 0.2, seenAt: seenAt + hourMs })
    for (const read of [first, other, second, figure({ measuredAt: null, model: 'gemini' })]) await add(read)
    expect(await store().figures.revised()).toEqual([first, second])
    expect(await store().figures.series()).toEqual([
      { ...of, category: 'political' },
      { ...of, category: 'safety' },
      { ...of, model: 'gemini', category: 'political' },
    ])
  })

  it('lists them in the order of the bytes of their names', async () => {
    const models = ['a-b', 'Ab', 'aB', 'ab', 'z', 'é', '\uFF5E', '😀']
    for (const model of models.toReversed()) await add(figure({ model }))
    const inOrder = ['Ab', 'a-b', 'aB', 'ab', 'z', 'é', '\uFF5E', '😀']
    expect((await store().figures.series()).map(({ model }) => model)).toEqual(inOrder)
  })

  it('takes another unit for no revision, and what an answer leaves out neither', async () => {
    await add(figure({ rate: 0.07, seenAt }))
    const later = { seenAt: seenAt + hourMs }
    expect(await add(figure({ rate: 7, unit: 'percent', ...later }))).toBe(0)
    expect(await add(figure({ rate: 0.07, unit: null, ...later }))).toBe(0)
    expect(await add(figure({ rate: 0.07, sampleSize: null, version: null, ...later }))).toBe(0)
  })

  it('keeps the same figure again when its unit becomes known', async () => {
    await add(figure({ unit: null }))
    expect(await add(figure({ unit: 'fraction', seenAt: seenAt + hourMs }))).toBe(1)
    expect(await add(figure({ unit: 'percent', seenAt: seenAt + 2 * hourMs }))).toBe(1)
  })

  it('keeps figures apart that stand for different things', async () => {
    const others: Partial<Figure>[] = [
      { series: 'days' },
      { series: 'weeks' },
      { part: 1 },
      { category: 'safety' },
      { measuredAt: measuredAt + 1 },
      { model: 'gemini' },
      { service: 'sandbox.example/v1' },
    ]
    expect(await add(figure(), ...others.map((changes) => figure({ ...changes, rate: 0.3 })))).toBe(8)
    expect(await rates()).toHaveLength(6)
    expect(await rates({ model: 'gemini' })).toEqual([0.3])
    expect(await rates({ category: 'safety' })).toEqual([0.3])
  })

  it('keeps a figure without a time when its value changes, and only then', async () => {
    const undated = (rate: number, hours: number) =>
      figure({ measuredAt: null, rate, seenAt: seenAt + hours * hourMs })
    for (const [hours, rate] of [0.18, 0.18, 0.3, 0.3, 0.18].entries()) await add(undated(rate, hours))
    expect(lastOf(await store().figures.read(all))).toEqual([
      undated(0.18, 0),
      undated(0.3, 2),
      undated(0.18, 4),
    ])
    expect(await rates({ from: seenAt + hourMs })).toEqual([0.3, 0.18])
    // Also if the last change was long ago.
    expect(await add(undated(0.18, 24 * 400))).toBe(0)
  })

  it('keeps one of what several read at the same time', async () => {
    const reads = Array.from({ length: 10 }, (_, index) => add(figure({ seenAt: seenAt + index * 1_000 })))
    expect((await Promise.all(reads)).reduce((sum, one) => sum + one)).toBe(1)
    expect(await rates()).toEqual([0.18])
  })

  it('takes an older answer that is stored a minute late for no revision', async () => {
    await add(figure({ rate: 0.3, seenAt: seenAt + 60_000 }))
    expect(await add(figure({ rate: 0.18 }))).toBe(0)
    expect(await rates()).toEqual([0.3])
  })

  it('knows what was read of a time: spans that meet are one, and after a gap the newer counts', async () => {
    const know = (...spans: KnownSpan[]) => store().figures.add({ figures: [], spans })
    const year = span(seenAt - 365 * dayMs, seenAt)
    await know(year, span(seenAt, seenAt, { category: 'safety' }), span(0, 1, { model: 'gemini' }))
    await know(span(seenAt - 3 * dayMs, seenAt + 4 * dayMs))
    const ofOne = async () =>
      (await (await reopen()).figures.spans(of)).filter(({ category }) => category === 'political')
    expect(await ofOne()).toEqual([span(seenAt - 365 * dayMs, seenAt + 4 * dayMs)])
    await know(span(seenAt + 20 * dayMs, seenAt + 27 * dayMs))
    expect(await ofOne()).toEqual([span(seenAt + 20 * dayMs, seenAt + 27 * dayMs)])
    expect(await store().figures.spans(of)).toHaveLength(2)
  })

  it('drops what is older than asked for, and leaves events and the rest', async () => {
    const old = figure({ measuredAt: measuredAt - 1_826 * dayMs })
    await add(old, figure({ measuredAt: null, seenAt: seenAt - 1_900 * dayMs }), figure())
    expect(await store().figures.dropBefore(measuredAt - 1_825 * dayMs)).toBe(2)
    expect(await store().figures.read(all)).toEqual([figure()])
    expect(await store().figures.dropBefore(measuredAt - 1_825 * dayMs)).toBe(0)
  })

  it('gives all that came, page by page, so that a copy has the same', async () => {
    const came = [0.18, 0.3, 0.18].map((rate, hours) => figure({ rate, seenAt: seenAt + hours * hourMs }))
    came.push(figure({ model: 'gemini', measuredAt: null }))
    await add(...came)
    const first = await store().figures.all({ after: 0, limit: 3 })
    const rest = await store().figures.all({ after: first.at(-1)?.seq ?? 0, limit: 3 })
    expect([...first, ...rest].map((one) => one.figure)).toEqual(came)
    await store().figures.add({ figures: [], spans: [span(0, 1), span(0, 1, { model: 'gemini' })] })
    expect((await store().figures.spans()).map(({ model }) => model).toSorted()).toEqual(['claude', 'gemini'])
  })

  it('no longer knows what it dropped', async () => {
    const old = span(seenAt - 400 * dayMs, seenAt - 200 * dayMs, { source: 'newest' })
    await store().figures.add({ figures: [], spans: [span(seenAt - 365 * dayMs, seenAt), old] })
    await store().figures.dropBefore(seenAt - 90 * dayMs)
    expect(await store().figures.spans(of)).toEqual([span(seenAt - 90 * dayMs, seenAt)])
  })

  it('takes a year of a model at once, as it was', async () => {
    const year = Array.from({ length: 365 * 4 }, (_, index) =>
      figure({ series: 'readings', measuredAt: measuredAt - index * 6 * hourMs, rate: index / 1_460 }),
    )
    expect(await add(...year)).toBe(year.length)
    expect(await add(...year.map((one) => ({ ...one, seenAt: seenAt + 1 })))).toBe(0)
    expect(await rates({ from: measuredAt - 6 * hourMs })).toEqual([0, 1 / 1_460])
  })
}
