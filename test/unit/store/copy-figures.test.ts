import { expect, test } from 'vitest'
import { dayMs, hourMs } from '../../../src/durations.ts'
import { tallyOf } from '../../../src/store/copy.ts'
import { copyFigures } from '../../../src/store/copy-figures.ts'
import { figure } from '../../contract/figures.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../support/memory-store.ts'

const open = () => createMemoryBacking(createManualClock(0)).open()

test('a copy of figures has every revision once, also if it was broken off', async () => {
  const [from, to] = [open(), open()]
  const { seenAt } = figure()
  const figures = Array.from({ length: 2_500 }, (_, index) =>
    figure({ measuredAt: seenAt - (index % 1_000) * hourMs, rate: (index % 3) / 10, seenAt: seenAt + index }),
  )
  const { service, model, category } = figure()
  const span = { service, model, category, source: 'history', from: seenAt - dayMs, to: seenAt } as const
  expect(await from.figures.add({ figures, spans: [span] })).toBe(2_500)
  await to.figures.add({ figures: figures.slice(0, 2_100), spans: [] })
  expect((await tallyOf(from)).hash).not.toBe((await tallyOf(to)).hash)
  await copyFigures(from.figures, to.figures)
  expect(await tallyOf(to)).toEqual(await tallyOf(from))
  expect((await tallyOf(to)).figures).toBe(2_500)
  await copyFigures(from.figures, to.figures)
  expect(await tallyOf(to)).toEqual(await tallyOf(from))
})
