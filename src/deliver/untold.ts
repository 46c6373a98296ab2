import type { Channel } from '../channels/channel.ts'
import { beforeOf, type Outcome } from '../event/outcome.ts'
import { isoTime } from '../platform/clock.ts'
import type { StoredEntry } from '../store/store.ts'
import type { QueueParts } from './parts.ts'

/**
 * The alerts of a story that were to be told in its message, where that will not tell of them: it cannot be edited, or was not
 * sent after all. They are held until now, so that they go out together.
 */
export async function letUntoldGo(
  { entry, outcomes }: StoredEntry,
  { name: channel, edit }: Pick<Channel, 'name' | 'edit'>,
  { store, clock }: Pick<QueueParts, 'store' | 'clock'>,
): Promise<void> {
  const leader = Object.hasOwn(outcomes, channel) ? outcomes[channel] : undefined
  const shown = shownBy(leader, edit !== undefined)
  if (shown === undefined) return
  const { members = [] } = await store.later(entry.id)
  const untold = members.filter(({ alert, outcomes: those }) => {
    const outcome = Object.hasOwn(those, channel) ? those[channel] : undefined
    return outcome?.state === 'merged' && outcome.in === entry.id && !shown.has(alert.id)
  })
  const why = `the message about ${entry.id}, which was to tell of it, ${leader?.state === 'sent' ? 'cannot be changed' : 'was not sent'}`
  for (const { alert } of untold) {
    await store.alter(alert.id, channel, (was) =>
      was?.state === 'merged' && was.in === entry.id
        ? { state: 'held', until: isoTime(clock.now()), by: 'story', why, ...beforeOf(was) }
        : undefined,
    )
  }
}

/** What the message tells of, where it will tell of no more; undefined where it may. */
function shownBy(leader: Outcome | undefined, canEdit: boolean): ReadonlySet<string> | undefined {
  if (leader?.state === 'failed') return new Set()
  if (leader?.state !== 'sent' || (canEdit && leader.unedited === undefined)) return undefined
  return new Set(leader.alsoTells)
}
