import { createHash } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { type Chance, chance } from '../detector/chance.ts'
import { actors, type Planned, type Timeline } from './timeline.ts'

/** What the libraries take from Node without asking: time, chance and the network. */
export interface Substitutes {
  timeline: Timeline
  seed: number
  fetch: typeof fetch
  connect: (...args: never[]) => unknown
}

let current: { substitutes: Substitutes; random: Chance } | undefined
let pendingTurns = 0

const realSetImmediate = setImmediate
const RealDate = Date

function timeline(): Timeline {
  if (current === undefined) throw new Error('no simulation runs')
  return current.substitutes.timeline
}

/** The wall clock of the process that asks. */
function wallClock(): number {
  if (current === undefined) return RealDate.now()
  return timeline().now() + (actors.getStore()?.ahead ?? 0)
}

/**
 * Until everything that follows from the last step has been done: promises and ticks by one turn of Node's loop, and as
 * many more as somebody asked for.
 */
export async function turn(): Promise<void> {
  do await new Promise((resolve) => realSetImmediate(resolve))
  while (pendingTurns > 0)
}

class Timer {
  #planned: Planned | undefined = undefined
  readonly #work: () => void
  readonly #milliseconds: number
  constructor(work: () => void, milliseconds: number, again: boolean) {
    this.#milliseconds = Number.isFinite(milliseconds) ? Math.max(1, milliseconds) : 1
    this.#work = again
      ? () => {
          this.refresh()
          work()
        }
      : work
    this.refresh()
  }
  refresh(): this {
    this.close()
    if (current !== undefined) this.#planned = timeline().after(this.#milliseconds, this.#work)
    return this
  }
  close(): this {
    this.#planned?.cancel()
    return this
  }
  ref = () => this
  unref = () => this
  hasRef = () => true;
  [Symbol.dispose] = () => void this.close()
}

function simulatedTimer(again: boolean) {
  return (work: (...args: unknown[]) => void, milliseconds = 1, ...args: unknown[]) =>
    new Timer(() => work(...args), milliseconds, again)
}

function clear(timer: unknown): void {
  if (timer instanceof Timer) timer.close()
}

function simulatedImmediate(work: (...args: unknown[]) => void, ...args: unknown[]) {
  pendingTurns += 1
  return realSetImmediate(() => {
    pendingTurns -= 1
    work(...args)
  })
}

function simulatedSignal(milliseconds: number): AbortSignal {
  const controller = new AbortController()
  timeline().after(milliseconds, () => controller.abort(new DOMException('time-out', 'TimeoutError')))
  return controller.signal
}

class SimulatedDate extends RealDate {
  constructor(...args: unknown[]) {
    if (args.length === 0) super(wallClock())
    else super(...(args as [number]))
  }
  static override now(): number {
    return wallClock()
  }
}

function simulatedBytes(size: number, done?: (error: null, bytes: Buffer) => void): Buffer {
  const random = current?.random ?? Math.random
  const bytes = Buffer.from(Array.from({ length: size }, () => Math.floor(random() * 256)))
  done?.(null, bytes)
  return bytes
}

/** At once, and of no strength: Node's own ends in a thread, at a time that is no part of this world. */
function simulatedScrypt(
  password: string,
  salt: Buffer,
  size: number,
  _cost: unknown,
  done: (error: null, key: Buffer) => void,
): void {
  done(null, createHash('sha256').update(password).update(salt).digest().subarray(0, size))
}

/** Node's own, as modules that were loaded before and those that will be see it. */
const builtin = {
  crypto: process.getBuiltinModule('node:crypto'),
  net: process.getBuiltinModule('node:net'),
  timers: process.getBuiltinModule('node:timers'),
  later: process.getBuiltinModule('node:timers/promises'),
}

/** Puts them in the place of Node's own, for the rest of the process's life. */
export function patchNode(): void {
  const timers = {
    setTimeout: simulatedTimer(false),
    setInterval: simulatedTimer(true),
    clearTimeout: clear,
    clearInterval: clear,
    setImmediate: simulatedImmediate,
  }
  Object.assign(globalThis, timers, { Date: SimulatedDate })
  Object.assign(builtin.timers, timers)
  Object.assign(builtin.later, {
    setTimeout: (milliseconds: number, value: unknown) =>
      new Promise((resolve) => timeline().after(milliseconds, () => resolve(value))),
    setImmediate: (value: unknown) => new Promise((resolve) => simulatedImmediate(() => resolve(value))),
  })
  Object.assign(AbortSignal, { timeout: simulatedSignal })
  Object.assign(performance, { now: () => current?.substitutes.timeline.now() ?? 0 })
  Math.random = () => current?.random() ?? 0.5
  Object.assign(builtin.crypto, { randomBytes: simulatedBytes, scrypt: simulatedScrypt })
  globalThis.fetch = (...args) => {
    if (current === undefined) throw new Error('no simulation runs')
    return current.substitutes.fetch(...args)
  }
  Object.assign(builtin.net, { connect: (...args: never[]) => current?.substitutes.connect(...args) })
  syncBuiltinESMExports()
}

/** From now on, time, chance and the network are those of this world. */
export function enter(substitutes: Substitutes): void {
  pendingTurns = 0
  current = { substitutes, random: chance(substitutes.seed, 7_777) }
}
