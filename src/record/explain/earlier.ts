import type { Outcome, ResendHistory } from '../../event/outcome.ts'
import { counted, plain } from '../../platform/text.ts'

/** How it stood when somebody asked for it to be sent again; no state where only a number is known. */
export interface EarlierEnd {
  state?: Outcome['state']
  reason: string
}

/** How it stood each time that somebody asked for it to be sent again, oldest first. */
export function earlierEnds(
  { earlier = [], earlierDropped = 0 }: ResendHistory,
  reason: (outcome: Outcome) => string,
): EarlierEnd[] {
  const dropped =
    earlierDropped === 0 ? [] : [{ reason: `${counted(earlierDropped, 'older end')} no longer kept` }]
  const ends = earlier.map(({ replacedAt, ...stood }) => {
    const why = stood.state === 'waiting' ? broken(stood) : reason(stood)
    return { state: stood.state, reason: `${why}; sent again on request ${replacedAt}` }
  })
  return [...dropped, ...ends]
}

/** What it waited for is of no interest any more. */
function broken({ attempts, begun, why }: { attempts: number; begun?: string; why: string }): string {
  const tried = begun === undefined ? '' : `a try was under way since ${begun}, `
  return `${tried}${counted(attempts, 'try', 'tries')} so far: ${plain(why, 500)}`
}
