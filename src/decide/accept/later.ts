import type { FollowUps, NearAlert, StoryMember } from '../../store/near.ts'
import { changeOf, type ReportedChange, reportedAlertOf } from './correlate.ts'

/** What was said in place of an event: the service corrects it, or the figures after it do not bear it out. */
type Revision = ReturnType<typeof reportedAlertOf> & Pick<NearAlert, 'receivedAt'>

/** What bears a finding out. */
type Confirmation = Revision & Pick<NearAlert, 'figures'>

/** What readers are shown of what came later. */
interface ShownLater {
  other: (ReportedChange & { revision: Revision | undefined }) | undefined
  revision: Revision | undefined
  confirmation: Confirmation | undefined
  acts: FollowUps['acts']
  published: FollowUps['published']
}

interface ShownMember {
  alert: NearAlert
  other: ReportedChange | undefined
  revision: Revision | undefined
  confirmation: Confirmation | undefined
  acts: StoryMember['acts']
}

export function shownLater({
  other,
  otherRevision,
  revision,
  confirmation,
  acts,
  published,
}: FollowUps): ShownLater {
  return {
    other: other && { ...changeOf(other), revision: otherRevision && revisionOf(otherRevision) },
    revision: revision && revisionOf(revision),
    confirmation: confirmation && confirmationOf(confirmation),
    acts,
    published,
  }
}

/** The other alerts of its story that an alert's message on a channel includes, oldest first. */
export function membersIn(id: string, { members = [] }: FollowUps, channel: string): ShownMember[] {
  return members.filter((member) => isTold(member, { id, channel })).map(shownMember)
}

function shownMember({ alert, other, revision, confirmation, acts }: StoryMember): ShownMember {
  return {
    alert,
    other: other && changeOf(other),
    revision: revision && revisionOf(revision),
    confirmation: confirmation && confirmationOf(confirmation),
    acts,
  }
}

/** An alert that waits for a digest, or was in one, appears only there. */
function isTold({ alert, outcomes }: StoryMember, { id, channel }: { id: string; channel: string }): boolean {
  const outcome = Object.hasOwn(outcomes, channel) ? outcomes[channel] : undefined
  if (alert.story?.[channel] !== id || outcome === undefined) return false
  return outcome.state === 'merged'
    ? outcome.in === id
    : outcome.state === 'sent' || outcome.state === 'waiting'
}

function confirmationOf(event: NearAlert): Confirmation {
  return { ...revisionOf(event), figures: event.figures }
}

function revisionOf(event: NearAlert): Revision {
  return { ...reportedAlertOf(event), receivedAt: event.receivedAt }
}
