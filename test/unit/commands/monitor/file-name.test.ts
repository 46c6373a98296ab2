import { basename } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileName } from '../../../../src/commands/monitor/file-name.ts'
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

test('whatever the id and the format are, it is a plain name in this folder', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.option(fc.string({ unit: 'binary' })), (id, format) => {
      const name = fileName(id, format)
      expect(name).toBe(basename(name))
      expect(name).toMatch(/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u)
    }),
    runs(),
  )
})
