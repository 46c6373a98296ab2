import { usualInterval } from '../detect/bins.ts'
import { outOfReach } from '../detect/reach.ts'
import { inWords } from './plan.ts'
import { pollingStateFrom } from './state.ts'

export interface ModelJudgement {
  model: string
  /** False where a change that matters would not be found. */
  isJudged: boolean
  /** With what stands in the way and what would help, for people. */
  detail: string
}

/** Whether changes of each model can be found, by what polling stored; a model that it has not read yet is none that cannot. */
export function judged(stored: unknown, models: readonly string[]): ModelJudgement[] {
  const known = pollingStateFrom(stored, 0).figures.models
  return models.map((model) => {
    const detector = known[model]?.detector
    if (!detector) return { model, isJudged: true, detail: 'not known yet: serve has not read its history' }
    const obstacle = outOfReach(detector)
    if (obstacle !== undefined) return { model, isJudged: false, detail: obstacle }
    const readings = detector.bins.reduce((total, bin) => total + bin.readings, 0)
    const every = inWords(usualInterval(detector.bins))
    return {
      model,
      isJudged: true,
      detail: `can be judged, by ${readings} readings, one about every ${every}`,
    }
  })
}
