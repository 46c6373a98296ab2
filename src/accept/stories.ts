import type { AlertEvent } from '../event/event.ts'
import type { Held, Outcome } from '../event/outcome.ts'
import type { Near, NearAlert } from '../store/near.ts'
import type { NearMessage, OnChannel } from '../store/near-messages.ts'

/** What a channel asks for: see the setting `stories`. */
interface StoryTerms {
  /** Milliseconds. */
  within: number
  /** Percentage points. */
  worse?: number | undefined
}

export interface StoryParts {
  /** Undefined where the channel asks for none. */
  stories: (channel: string) => StoryTerms | undefined
  /** Whether the channel's messages can be changed after they were sent. */
  canEdit: (channel: string) => boolean
  /** Milliseconds since the epoch. */
  now: number
}

/** So many messages a channel gets within a minute at the most; further ones come as one. */
const mostInBurst = 5
const burstMs = 60_000

/**
 * What becomes of an alert beside what else its channels get, where it would be sent at once: it is told in the message about an
 * alert before it, waits until that story is over where messages cannot be edited, or waits since too many came. A channel on
 * which the first was not sent has a story of its own. Pure.
 */
export function inStories(
  event: AlertEvent,
  outcomes: Record<string, Outcome>,
  near: Near,
  parts: StoryParts,
): { event: AlertEvent; outcomes: Record<string, Outcome> } {
  const story: Record<string, string> = {}
  const decided = Object.entries(outcomes).map(([channel, outcome]): [string, Outcome] => {
    const terms = parts.stories(channel)
    if (terms === undefined || outcome.state !== 'waiting') return [channel, outcome]
    const there = near.on(channel)
    const found = storyOf(event, channel, { there, near, within: terms.within, now: parts.now })
    if (found === undefined) return [channel, burst(there, parts.now) ?? outcome]
    const { leader, members } = found
    const canEdit = parts.canEdit(channel)
    const comesItself = isWorse(event, members, terms.worse)
    if (canEdit || !comesItself) story[channel] = leader.id
    if (comesItself) return [channel, burst(there, parts.now) ?? outcome]
    return [channel, canEdit ? { state: 'told', in: leader.id } : untilOver(leader, terms.within)]
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

interface Around {
  there: OnChannel
  near: Near
  within: number
  now: number
}

/** The story on a channel that an alert belongs to: of its model before of its category, the newest of several. */
function storyOf(event: NearAlert, channel: string, around: Around): Story | undefined {
  const stories = around.there.messages.flatMap((message) => storyFrom(message, channel, around) ?? [])
  const ofModel = stories.findLast(({ members }) => isOf('model', event, members))
  return ofModel ?? stories.findLast(({ members }) => isOf('category', event, members))
}

function storyFrom({ alert, isOpen }: NearMessage, channel: string, around: Around): Story | undefined {
  const { near, within, now } = around
  if (alert === undefined || !isOpen) return undefined
  // The clocks of two processes may differ.
  if (Math.abs(now - Date.parse(alert.receivedAt)) > within) return undefined
  // What is part of another story, or was said otherwise since, is the first of none.
  if (alert.revises !== undefined || alert.story?.[channel] !== undefined) return undefined
  const about = near.about(alert.id)
  if (about.some(({ entry }) => entry.revises === alert.id && entry.before !== undefined)) return undefined
  const told = about.flatMap(({ entry }) => (entry.story?.[channel] === alert.id ? [entry] : []))
  return { leader: alert, members: [alert, ...told] }
}

/** A story is of one model, or of one category, and with its second alert it may become clear of which. */
function isOf(of: 'model' | 'category', event: NearAlert, members: readonly NearAlert[]): boolean {
  const name = event[of]?.toLowerCase()
  return name !== undefined && members.every((one) => one[of]?.toLowerCase() === name)
}

function isWorse({ delta }: NearAlert, members: readonly NearAlert[], worse: number | undefined): boolean {
  if (worse === undefined || delta === null) return false
  return Math.abs(delta) >= Math.max(...members.map((one) => Math.abs(one.delta ?? 0))) + worse
}

function untilOver({ id, receivedAt }: NearAlert, within: number): Held {
  return {
    state: 'held',
    until: new Date(Date.parse(receivedAt) + within).toISOString(),
    by: 'story',
    why: `it belongs to the story of ${id}, and a message here cannot be changed`,
  }
}

/** Those that are held for too many go out as one message, which counts as one. */
function burst({ messages, heldUntil }: OnChannel, now: number): Held | undefined {
  if (heldUntil !== undefined && heldUntil > now) return heldBack(heldUntil)
  const times = messages.map(({ at }) => at).filter((at) => at > now - burstMs)
  if (heldUntil !== undefined) times.push(now)
  if (times.length < mostInBurst) return undefined
  const freed = times.toSorted((one, other) => other - one)[mostInBurst - 1] ?? now
  return heldBack(Math.max(freed, now - burstMs) + burstMs)
}

function heldBack(until: number): Held {
  const why = `more than ${mostInBurst} messages came within a minute; what follows comes as one`
  return { state: 'held', until: new Date(until).toISOString(), by: 'burst', why }
}
