import { basename } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileName, progressLine, showProgress } from '../../../../src/commands/monitor/datasets.ts'
import { runs } from '../../../support/runs.ts'

test.each([
  ['daily-rates', 'csv', 'daily-rates.csv'],
  ['daily-rates', 'text/csv', 'daily-rates.csv'],
  ['rates.csv', 'csv', 'rates.csv'],
  ['daily-rates', 'exe', 'daily-rates'],
  ['daily-rates', null, 'daily-rates'],
  ['../../etc/passwd', null, 'etc_passwd'],
  ['.bashrc', null, 'bashrc'],
  ['-rf', null, 'rf'],
  ['//', 'json', 'dataset.json'],
])('%s as %s is %s', (id, format, name) => {
  expect(fileName(id, format)).toBe(name)
})

test('for any id and format it is a plain name in this folder', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.option(fc.string({ unit: 'binary' })), (id, format) => {
      const name = fileName(id, format)
      expect(name).toBe(basename(name))
      expect(name).toMatch(/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u)
    }),
    runs(),
  )
})

const bar = (full: number) => '█'.repeat(full) + '░'.repeat(24 - full)

test('says how much of how much, and how fast', () => {
  expect(progressLine(1_000_000, 4_000_000, 250_000)).toBe(`${bar(6)}  25%  1.0 MB of 4.0 MB  250.0 kB/s`)
})

test('where the whole is not known there is no bar', () => {
  expect(progressLine(512, null, null)).toBe('512 B')
})

test('on a terminal the line is drawn again in its place, not too often, and is gone at the end', () => {
  const drawn: string[] = []
  let now = 0
  const progress = showProgress({ isTTY: true, columns: 200, write: (text) => drawn.push(text) }, () => now)
  // 600 bytes were there from an earlier run; they do not make it faster.
  progress.at(600, 1_000)
  now = 50
  progress.at(700, 1_000)
  now = 1_000
  progress.at(800, 1_000)
  progress.end()
  const start = '\r\u001b[K'
  expect(drawn).toEqual([
    `${start}${bar(14)}  60%  600 B of 1.0 kB`,
    `${start}${bar(19)}  80%  800 B of 1.0 kB  200 B/s`,
    start,
  ])
})

test('elsewhere nothing is drawn', () => {
  const drawn: string[] = []
  const progress = showProgress({ write: (text) => drawn.push(text) }, () => 0)
  progress.at(1, 2)
  progress.end()
  expect(drawn).toEqual([])
})
