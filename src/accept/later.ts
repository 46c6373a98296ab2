import type { Later, NearAlert } from '../store/near.ts'
import { changeOf, type ReportedChange, saidBy } from './correlate.ts'

/** What was said in place of an event: the service corrects it, or the figures after it do not bear it out. */
type Revision = ReturnType<typeof saidBy> & Pick<NearAlert, 'receivedAt'>

/** What bears a finding out. */
type Confirmation = Revision & Pick<NearAlert, 'figures'>

/** What readers are shown of what came later. */
interface ShownLater {
  other: (ReportedChange & { revision: Revision | undefined }) | undefined
  revision: Revision | undefined
  confirmation: Confirmation | undefined
  acts: Later['acts']
}

export function shownLater({ other, otherRevision, revision, confirmation, acts }: Later): ShownLater {
  return {
    other: other && { ...changeOf(other), revision: otherRevision && revisionOf(otherRevision) },
    revision: revision && revisionOf(revision),
    confirmation: confirmation && { ...revisionOf(confirmation), figures: confirmation.figures },
    acts,
  }
}

function revisionOf(event: NearAlert): Revision {
  return { ...saidBy(event), receivedAt: event.receivedAt }
}
