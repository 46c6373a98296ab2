import { expect, test } from 'vitest'
import { learn, observe } from '../../../src/intake/detect/detect.ts'
import { days, learnt, noisy, see } from '../../unit/intake/detect/readings.ts'
import { simulateWorld } from './world.ts'
import { worlds } from './worlds.ts'

const form =
  /^([+−][\d.]+) points \(95%: (−?[\d.]+) to (−?[\d.]+)\), ([\d.]+)% of ([\d,]+)(?: in \d+ readings)? against ([\d.]+)% of ([\d,]+) in \d+ readings(?: and a drift of ([+−][\d.]+) points)?; ([\d.]+) standard errors, noise ([\d.]+) × binomial(?: and a further error of ([\d.]+) points)?/

const number = (text = '0') => Number(text.replaceAll(',', '').replace('−', '-').replace('+', ''))

/** By docs/internals/detection.md, from nothing but the sentence. */
function recomputed(sentence: string): { said: number; own: number } {
  const [, , , , rate, prompts, baseline, baselinePrompts, drift, said, noise, besides] =
    form.exec(sentence)?.map(number) ?? []
  const arcsine = (percent: number) => 2 * Math.asin(Math.sqrt(percent / 100))
  const [after, before] = [rate ?? Number.NaN, (baseline ?? 0) + (drift ?? 0)]
  const middle = (after + (baseline ?? 0)) / 200
  const sampling = (noise ?? 0) * (1 / (prompts ?? 0) + 1 / (baselinePrompts ?? 0))
  const rest = ((besides ?? 0) / 100) ** 2 / (middle * (1 - middle))
  return {
    said: said ?? Number.NaN,
    own: Math.abs(arcsine(after) - arcsine(before)) / Math.sqrt(sampling + rest),
  }
}

test('the standard errors of a sentence follow from what it says, in every world', () => {
  let checked = 0
  for (const name of [
    'daily',
    'sizes-2000',
    'parts-4',
    'half-6',
    'walk',
    'rounded-percent',
    'cycle-year-5',
  ]) {
    const world = worlds[name] ?? { title: 'none' }
    for (const points of [10, 6]) {
      const change = { day: 21, kind: 'step', where: 'overall', points, days: null } as const
      const { history, live } = simulateWorld(world, 50_003, { days: 50, changes: [change] })
      let { state } = learn(history)
      for (const { observation } of live) {
        const observed = observe(state, observation)
        state = observed.state
        for (const { figures, sentence } of observed.findings) {
          if (figures === null) continue
          const { said, own } = recomputed(sentence)
          expect(Math.abs(own - said), `${name}: ${sentence}, which gives ${own}`).toBeLessThan(
            0.05 * said + 0.05,
          )
          checked += 1
        }
      }
    }
  }
  expect(checked).toBeGreaterThan(10)
})

test('what one reading shows is said to be provisional, and what later readings do not show, that they do not', () => {
  const { findings } = see(learnt(), [noisy(0, 0.31), ...days(1, 4, (day) => noisy(day, 0.2))])
  expect(findings.map(({ sentence }) => sentence.split('; ').at(-1))).toEqual([
    'provisional: one reading shows it',
    'later readings do not confirm it',
  ])
})
