import fc from 'fast-check'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { bars, centredBars } from '../../../../src/commands/monitor/bars.ts'
import { runs } from '../../../support/runs.ts'

const narrow = { width: 34, colour: false }

test('bars are as long as their values, and an absent one is not a zero', () => {
  const all = [
    { label: 'Claude', value: 10, text: '10.0%' },
    { label: 'Qwen', value: 20, text: '20.0%' },
    { label: 'Gemini', value: 0, text: '0.0%' },
    { label: 'Mistral', value: null, text: '–' },
  ]
  expect(bars(all, narrow).split('\n')).toEqual([
    'Claude   █████████           10.0%',
    'Qwen     ██████████████████  20.0%',
    'Gemini                        0.0%',
    'Mistral  –                       –',
    '',
  ])
})

test('scores of either sign leave the middle to their own side', () => {
  const all = [
    { label: 'political', value: -0.4, text: '−0.40' },
    { label: 'social', value: 0.2, text: '+0.20' },
  ]
  expect(centredBars(all, narrow).split('\n')).toEqual([
    'political  ███████│          −0.40',
    'social            │████      +0.20',
    '',
  ])
})

test('any values and labels fit the width', () => {
  const bar = fc.record({
    label: fc.string({ unit: 'grapheme' }),
    value: fc.option(fc.double({ min: -1e9, max: 1e9, noNaN: true })),
    text: fc.constant('12.4%'),
  })
  fc.assert(
    fc.property(fc.array(bar, { minLength: 1 }), fc.integer({ min: 50, max: 100 }), (all, width) => {
      for (const draw of [bars, centredBars]) {
        const lines = draw(all, { width, colour: false }).split('\n')
        expect(lines).toHaveLength(all.length + 1)
        expect(lines.filter((line) => stringWidth(line) > width)).toEqual([])
      }
    }),
    runs(),
  )
})
