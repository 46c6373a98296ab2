import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { realSeries, rowText, watch } from './real-series.ts'

const page = readFileSync('test/data/series/README.md', 'utf8')

test('the page has what the detector says of each public series, no row left out', () => {
  const rows = realSeries().map(watch)
  expect(rows).toHaveLength(54)
  // Series in which nothing moves by two points are one row in the page.
  const moving = rows.filter(({ lowest, highest }) => highest - lowest >= 2)
  expect(moving.map(rowText).filter((row) => !page.includes(row))).toEqual([])
  const flat = rows.filter((row) => !moving.includes(row))
  expect(flat.flatMap(({ alerts }) => alerts)).toEqual([])
  expect(page).toContain(`${flat.length} series in which nothing moves`)
})
