import { glitchesMs } from './habits.ts'
import { rateNames } from './observation.ts'
import type { DetectorState, OpenChange } from './state.ts'

/** A reading is off from so many squared standard errors on, and the next is back below so many. */
const off = 25
const back = 9

/** The state after a measurement of its own, with the glitch that the one before it was, if it was one. */
export function withGlitches(before: DetectorState, after: DetectorState): DetectorState {
  const passed = (after.bins.at(-1)?.to ?? 0) - (before.bins.at(-1)?.to ?? 0)
  if (before.bins.length === 0 || passed <= 0) return after
  const wasOff = rateNames.some(
    (rate) => (before.charts[rate].pending[0] ?? 0) >= off && (after.charts[rate].pending[0] ?? back) < back,
  )
  const glitches = after.glitches * Math.exp(-passed / glitchesMs) + (wasOff ? 1 : 0)
  return { ...after, glitches: glitches < 1e-6 ? 0 : glitches }
}

/** Whether a change that was over with the reading after the one that showed it was a glitch. */
export function wasGlitch(change: OpenChange, prompts: number, readings: number): boolean {
  const square = ((change.after - change.before) ** 2 * prompts) / change.noise
  return change.provisional && readings <= 1 && square >= off
}
