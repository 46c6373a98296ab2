import type { AlertEvent } from '../../event/event.ts'
import type { Outcome } from '../../event/outcome.ts'
import { minuteMs } from '../../platform/durations.ts'
import type { NearAlert, NearMessage, RecentAlerts } from '../../store/near.ts'
import { restOfFlood } from './flood.ts'

/** What a channel asks for: see the setting `stories`. */
interface StoryTerms {
  /** Milliseconds. */
  within: number
  /** Percentage points. */
  worse: number
}

export interface StoryParts {
  /** Undefined if the channel asks for none. */
  stories: (channel: string) => StoryTerms | undefined
  /** Whether the channel's messages can be changed after they were sent. */
  canEdit: (channel: string) => boolean
  /** Milliseconds since the epoch. */
  now: number
}

/** Several models make one story if they are reported, or found in one poll, within so long of the first; milliseconds. */
const togetherMs = 10 * minuteMs

/**
 * What becomes of an alert beside what else its channels get, if it would be sent at once. On a channel that asks for stories and whose
 * messages can be edited, the message about an earlier alert comes to show it. On every channel the rest of a flood waits. A
 * channel on which the first was not sent has a story of its own. Pure.
 */
export function inStories(
  event: AlertEvent,
  outcomes: Record<string, Outcome>,
  near: RecentAlerts,
  parts: StoryParts,
): { event: AlertEvent; outcomes: Record<string, Outcome> } {
  const story: Record<string, string> = {}
  const decided = Object.entries(outcomes).map(([channel, outcome]): [string, Outcome] => {
    if (outcome.state !== 'waiting') return [channel, outcome]
    const there = near.on(channel)
    const terms = parts.canEdit(channel) ? parts.stories(channel) : undefined
    const around = terms && { messages: there.messages, near, within: terms.within, now: parts.now }
    const joined = around && storyOf(event, channel, around)
    if (joined !== undefined) {
      story[channel] = joined.leader.id
      if (!isWorse(event, joined, terms?.worse)) return [channel, { state: 'merged', in: joined.leader.id }]
    }
    return [channel, restOfFlood(event, there, parts.now) ?? outcome]
  })
  return {
    event: Object.keys(story).length === 0 ? event : { ...event, story },
    outcomes: Object.fromEntries(decided),
  }
}

interface Story {
  leader: NearAlert
  /** With the leader, oldest first. */
  members: readonly NearAlert[]
}

interface StorySurroundings {
  messages: readonly NearMessage[]
  near: RecentAlerts
  within: number
  now: number
}

/** The story on a channel that an alert belongs to: of its model alone before one of several, the newest of either. */
function storyOf(event: NearAlert, channel: string, around: StorySurroundings): Story | undefined {
  if (event.model === null || event.category === null || directionOf(event) === 0) return undefined
  const all = around.messages.flatMap((message) => storyFrom(message, channel, around) ?? [])
  // It has turned round since the stories before.
  const last = newestOf(
    all.flatMap(({ members }) => members.filter((one) => isOfModel(event, one) && isOfCategory(event, one))),
  )
  if (last !== undefined && directionOf(last) !== directionOf(event)) return undefined
  const fitting = all.filter(({ members }) =>
    members.every((one) => isOfCategory(event, one) && directionOf(one) === directionOf(event)),
  )
  const ofOne = fitting.findLast(({ members }) => members.every((one) => isOfModel(event, one)))
  return ofOne ?? fitting.findLast(({ leader }) => isWithin(togetherMs, leader, around.now))
}

function storyFrom(
  { alert, isOpen }: NearMessage,
  channel: string,
  { near, within, now }: StorySurroundings,
): Story | undefined {
  if (alert === undefined || !isOpen || !isWithin(within, alert, now)) return undefined
  // A member of another story cannot begin one, nor can an alert that was corrected.
  if (alert.revises !== undefined || alert.story?.[channel] !== undefined) return undefined
  const about = near.about(alert.id)
  if (about.some(({ entry }) => entry.revises === alert.id && entry.before !== undefined)) return undefined
  const told = about.flatMap(({ entry }) => (entry.story?.[channel] === alert.id ? [entry] : []))
  return { leader: alert, members: [alert, ...told] }
}

/** Of equal ones the last. A story may have thousands, and each further alert asks. */
function newestOf(alerts: readonly NearAlert[]): NearAlert | undefined {
  let newest: { alert: NearAlert; at: number } | undefined
  for (const alert of alerts) {
    const at = Date.parse(alert.receivedAt)
    if (newest === undefined || at >= newest.at) newest = { alert, at }
  }
  return newest?.alert
}

/** The clocks of two processes may differ. */
function isWithin(milliseconds: number, { receivedAt }: NearAlert, now: number): boolean {
  return Math.abs(now - Date.parse(receivedAt)) <= milliseconds
}

function isOfModel(event: NearAlert, { model }: NearAlert): boolean {
  return model?.toLowerCase() === event.model?.toLowerCase()
}

function isOfCategory(event: NearAlert, { category }: NearAlert): boolean {
  return category?.toLowerCase() === event.category?.toLowerCase()
}

/** 1: it refuses more, -1: fewer, 0: neither, or nobody knows. */
function directionOf({ delta }: NearAlert): number {
  return Math.sign(delta ?? 0)
}

function isWorse({ delta }: NearAlert, { members }: Story, worse = 0): boolean {
  return Math.abs(delta ?? 0) >= Math.max(...members.map((one) => Math.abs(one.delta ?? 0))) + worse
}
