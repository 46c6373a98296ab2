import { expect, test } from 'vitest'
import { readDelta } from '../../../src/event/delta.ts'
import { checkRows } from '../../support/check-rows.ts'

test('a sign, a number and pp are a change of that many percentage points', () =>
  checkRows(
    [
      ['+12pp', 12],
      ['-3.5pp', -3.5],
      ['\u22123 pp', -3],
      ['+ 12 PP', 12],
      ['  +0.5Pp\n', 0.5],
      ['+.5pp', 0.5],
      ['7pp', 7],
      ['+0pp', 0],
      ['-0pp', 0],
      ['+100pp', 100],
      ['-100.0pp', -100],
    ],
    ([text, points]) => {
      expect(readDelta(text)).toBe(points)
    },
  ))

test('no other text is a change', () =>
  checkRows(
    [
      '',
      'pp',
      '+pp',
      '+12',
      '+12%',
      '+12 percent',
      '+12ppm',
      '+12p p',
      '+1,200pp',
      '+12,5pp',
      '+1_0pp',
      '+1e1pp',
      '+0x10pp',
      '+NaNpp',
      '+Infinitypp',
      '+12.pp',
      '+1.2.3pp',
      '++12pp',
      '\u201312pp',
      '+\u0661\u0662pp',
      '+100.1pp',
      '-101pp',
      `+${'0'.repeat(80)}1pp`,
      `${' '.repeat(200_000)}x`,
    ],
    (text) => {
      expect(readDelta(text)).toBeNull()
    },
  ))

test.each([12, null, undefined, true, ['+12pp'], { delta: '+12pp' }, 12n])('%s is not a text', (value) => {
  expect(readDelta(value)).toBeNull()
})
