import { allAccounted } from './rules/accounted.ts'
import { heldAsAsked } from './rules/asked.ts'
import { deskShown } from './rules/desk.ts'
import { messagesEdited } from './rules/edited.ts'
import { escalatedIfAlone } from './rules/escalated.ts'
import { heldOnce } from './rules/held.ts'
import { levelsOfTheirChange } from './rules/levels.ts'
import { noneMistaken } from './rules/mistaken.ts'
import { oneSize } from './rules/one-size.ts'
import { outagesReported } from './rules/outages.ts'
import { noSilence } from './rules/silence.ts'
import { noneDropped, noneForged, noneLost } from './rules/stored.ts'
import { storiesTold } from './rules/stories.ts'
import { noneTwice } from './rules/twice.ts'
import type { Run } from './world.ts'

/** One rule that was broken, by its number in the plan ("What may never happen"), and how. */
export interface Breach {
  rule: 1 | 2 | 3 | 4 | 5 | 6 | 7
  what: string
}

/** Holds a run against the seven rules. Looks only at what left the process, and at what is on disk. */
export function judge(run: Run): Breach[] {
  return [
    ...noneLost(run),
    ...noneForged(run),
    ...noneDropped(run),
    ...noneTwice(run),
    ...noSilence(run),
    ...outagesReported(run),
    ...allAccounted(run),
    ...heldOnce(run),
    ...heldAsAsked(run),
    ...escalatedIfAlone(run),
    ...deskShown(run),
    ...noneMistaken(run),
    ...messagesEdited(run),
    ...storiesTold(run),
    ...oneSize(run),
    ...levelsOfTheirChange(run),
  ]
}
