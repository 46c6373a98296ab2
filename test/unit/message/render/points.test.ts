import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CommonSettings } from '../../../../src/channels/settings.ts'
import { route } from '../../../../src/decide/route/route.ts'
import { readDelta } from '../../../../src/event/delta.ts'
import { shortPoints, signedPoints } from '../../../../src/message/render/points.ts'
import { english } from '../../../../src/message/words/words.ts'
import { alert } from '../../../support/fakes/events.ts'
import { runs } from '../../../support/runs.ts'

test.each([
  [12, '+12 percentage points'],
  [-3.5, '−3.5 percentage points'],
  [1, '+1 percentage point'],
  [0.999, '+1 percentage point'],
  [0, '0 percentage points'],
  [0.004, 'a rise of less than 0.01 percentage points'],
  [-0.004, 'a fall of less than 0.01 percentage points'],
])('%d is written %s', (delta, text) => {
  expect(signedPoints(delta, english)).toBe(text)
})

const routed = (delta: number, minDelta: number) =>
  route(
    alert({ delta }),
    { channels: [CommonSettings.parse({ name: 'desk', minDelta })], operators: [], retentionMs: Infinity },
    0,
  ).desk

test('what is shown and what filters judge agree, and a change is never shown as none', () => {
  const written = fc
    .tuple(fc.integer({ min: 0, max: 9_999_999 }), fc.integer({ min: 0, max: 5 }))
    .map(([digits, places]) => (digits / 10 ** places).toFixed(places))
    .filter((text) => Number(text) <= 100)
  fc.assert(
    fc.property(written, fc.integer({ min: 1, max: 10_000 }), (text, hundredths) => {
      const delta = readDelta(`+${text}pp`) ?? Number.NaN
      const minDelta = hundredths / 100
      const shown = /^(?:less than )?([\d.]+)/.exec(shortPoints(delta, english))?.[1]
      const passes = !shortPoints(delta, english).startsWith('less') && Number(shown) >= minDelta
      expect(routed(delta, minDelta)?.state).toBe(passes ? 'waiting' : 'not_sent')
      expect(Number(shown) === 0).toBe(delta === 0)
    }),
    runs(),
  )
})
