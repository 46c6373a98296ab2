import { learn, observe } from '../../../src/intake/detect/detect.ts'
import { isAlert } from '../../../src/intake/poll/finding-event.ts'
import { type ModelFinding, withoutSharedMoves } from '../../../src/intake/poll/shared-moves.ts'
import type { Measurement } from '../../../src/intake/poll/state.ts'
import type { simulateWorld } from './world.ts'

const models = ['chatgpt', 'claude', 'gemini', 'mistral', 'qwen']

/** Alerts of five models that are read at the same time, with the day of each. `worldOf` makes the world of a model. */
export function alertsOfFive(
  days: number,
  worldOf: (index: number) => ReturnType<typeof simulateWorld>,
): { day: number; found: ModelFinding }[] {
  const worlds = models.map((model, index) => ({ model, ...worldOf(index) }))
  const detectors = new Map(worlds.map(({ model, history }) => [model, learn(history).state]))
  let measurement: Measurement | null = null
  return Array.from({ length: days }, (_, day) => {
    const findings: ModelFinding[] = []
    for (const { model, live } of worlds) {
      const [state, reading] = [detectors.get(model), live[day]]
      if (state === undefined || reading === undefined) continue
      const observed = observe(state, reading.observation)
      detectors.set(model, observed.state)
      findings.push(...observed.findings.filter(isAlert).map((finding) => ({ model, finding })))
    }
    const rest = withoutSharedMoves(findings, detectors, measurement)
    measurement = rest.measurement
    return rest.found.map((one) => ({ day, found: one }))
  }).flat()
}
