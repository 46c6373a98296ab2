import type { Before, Outcome } from '../event/outcome.ts'
import { counted } from '../text/counted.ts'
import { plain } from '../text/plain.ts'

/** How it stood each time that somebody asked for it to be sent again: rows of `explain`, oldest first. */
export function earlierRows(
  { earlier = [], earlierDropped = 0 }: Before,
  reason: (outcome: Outcome) => string,
): string[][] {
  const dropped =
    earlierDropped === 0
      ? []
      : [['    earlier', '', `${counted(earlierDropped, 'older end')} no longer kept`]]
  const rows = earlier.map(({ replacedAt, ...stood }) => {
    const why = stood.state === 'waiting' ? broken(stood) : reason(stood)
    return ['    earlier', stood.state.replace('_', ' '), `${why}; sent again on request ${replacedAt}`]
  })
  return [...dropped, ...rows]
}

/** What it waited for is of no interest any more. */
function broken({ attempts, begun, why }: { attempts: number; begun?: string; why: string }): string {
  const tried = begun === undefined ? '' : `a try was under way since ${begun}, `
  return `${tried}${counted(attempts, 'try', 'tries')} so far: ${plain(why, 500)}`
}
