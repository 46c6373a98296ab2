import { AsyncLocalStorage } from 'node:async_hooks'
import { createHeap, type HeapItem } from './heap.ts'

/** A process of the simulation. What it began does not happen once it is dead. */
export interface Actor {
  readonly name: string
  isAlive: boolean
  /** It has reported its stop, and no answer reaches it any more. */
  hasStopped: boolean
  /** Its wall clock is ahead of the true time by so many milliseconds. */
  ahead: number
}

/** Whose code runs; undefined for the world around the processes. */
export const actors = new AsyncLocalStorage<Actor>()

interface Moment extends HeapItem {
  at: number
  /** Of two at the same time, the one that was planned first comes first. */
  order: number
  actor: Actor | undefined
  work: () => void
}

/** A thing that will happen, and can be called off. */
export interface Planned {
  cancel(): void
}

/** The true time of one simulated world, and everything that will happen in it. One thing at a time, in one order. */
export interface Timeline {
  /** Milliseconds since the epoch. */
  now(): number
  /** Runs `work` after so many milliseconds, for the process that plans it. */
  after(milliseconds: number, work: () => void): Planned
  /** The same for the world: it happens even if the process ends. */
  worldAfter(milliseconds: number, work: () => void): Planned
  /** Lets time go by until `isOver`, or until so many milliseconds have passed. Answers whether it was over. */
  pass(milliseconds: number, isOver?: () => boolean): Promise<boolean>
  /** Things that have happened. */
  steps(): number
}

export function createTimeline(start: number, turn: () => Promise<void>): Timeline {
  let now = start
  let order = 0
  let steps = 0
  const plan = createHeap<Moment>((one, other) =>
    one.at === other.at ? one.order < other.order : one.at < other.at,
  )

  function add(milliseconds: number, work: () => void, actor: Actor | undefined): Planned {
    const wait = Number.isNaN(milliseconds) ? 0 : Math.max(0, milliseconds)
    const moment: Moment = { at: now + wait, order: order++, actor, work, place: -1 }
    if (Number.isFinite(moment.at)) plan.add(moment)
    return { cancel: () => plan.remove(moment) }
  }

  return {
    now: () => now,
    after: (milliseconds, work) => add(milliseconds, work, actors.getStore()),
    worldAfter: (milliseconds, work) => add(milliseconds, work, undefined),
    async pass(milliseconds, isOver = () => false) {
      const end = now + milliseconds
      await turn()
      while (!isOver()) {
        const next = plan.first()
        if (next === undefined || next.at > end) {
          now = end
          return isOver()
        }
        plan.remove(next)
        now = Math.max(now, next.at)
        if (next.actor?.isAlive === false) continue
        steps += 1
        if (next.actor === undefined) actors.exit(next.work)
        else actors.run(next.actor, next.work)
        await turn()
      }
      return true
    },
    steps: () => steps,
  }
}
