import type { Act, Person } from './act.ts'

/** What the desk does about an alert: nobody has it, somebody checks it, a story about it is published. */
export const deskStates = ['new', 'checking', 'published'] as const
export type DeskState = (typeof deskStates)[number]

/** The state of an alert, and the act that led to it. A new alert has no act unless somebody put it back. */
export interface Desk {
  state: DeskState
  by?: Person
  /** ISO 8601, UTC. */
  at?: string
  /** Address of the published story; http or https. */
  story?: string
  /** The act, by its id. */
  act?: string
}

/** A story that was published about an alert. */
export type PublishedStory = Desk & Required<Pick<Desk, 'by' | 'at' | 'story'>>

/**
 * The state after these acts about one alert, oldest first. An acknowledgement takes a new alert: its person checks it. It takes
 * nothing from somebody else, and reopens nothing. Pure.
 */
export function deskOf(acts: readonly Act[]): Desk {
  let desk: Desk = { state: 'new' }
  for (const act of acts) {
    const { by, receivedAt: at, id } = act
    if (act.does === 'set-desk')
      desk = { state: act.state, by, at, act: id, ...(act.story && { story: act.story }) }
    else if (act.does === 'acknowledge' && desk.state === 'new') desk = { state: 'checking', by, at, act: id }
  }
  return desk
}

/** The story that was published last, also if somebody checks the alert again since. Put back to new, it has none. Pure. */
export function publishedIn(acts: readonly Act[]): PublishedStory | undefined {
  const last = acts.findLast((act) => act.does === 'set-desk' && act.state !== 'checking')
  const { state, by, at, story, act } = deskOf(last === undefined ? [] : [last])
  return by && at && story ? { state, by, at, story, ...(act && { act }) } : undefined
}

/** Whether an act counts for the state of its alert, and so for every alert about the same change. */
export function isOfDesk({ does }: Pick<Act, 'does'>): boolean {
  return does === 'set-desk' || does === 'acknowledge'
}

const longestAddress = 500

/** The address of a story as it is stored, without what Slack shows in its place. Undefined if it is too long, has a password in it, or is not http or https. */
export function storyAddress(written: string): string | undefined {
  const url = URL.parse(written.trim().replace(/^<([^|]*)(\|.*)?>$/, '$1'))
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return undefined
  if (url.username !== '' || url.password !== '' || url.href.length > longestAddress) return undefined
  return url.href
}
