/** Kept connections of a load, each with one delivery at a time. */
export const connections = 64

/** How much is measured. */
export interface Scale {
  /** Events in the store when a load begins, ascending. */
  retained: readonly number[]
  rounds: number
  /** How often a load is tried until the host withholds next to nothing of the processors meanwhile. */
  attempts: number
  /** Distinct deliveries to a server that has just started, and how often the same come again. */
  warmUp: number
  repeats: number
  requests: number
  /** Events from POST to provider, at 100 a second. */
  reached: number
  /** Starts of each kind, for the time to ready and the memory at rest. */
  starts: number
  /** How long a process has been ready when it counts as being at rest, milliseconds. */
  restMs: number
  /** Requests to what others use; Debian's webhook starts a process for each. */
  rivalRequests: number
}

/** Some twelve minutes on a quiet machine, half an hour where neighbours disturb it. */
export const full: Scale = {
  retained: [1_000, 100_000, 1_000_000],
  rounds: 7,
  attempts: 10,
  warmUp: 8_000,
  repeats: 4,
  requests: 20_000,
  reached: 1_000,
  starts: 5,
  restMs: 7_000,
  rivalRequests: 10_000,
}

/** Under a minute: whether it runs, and roughly where it stands. */
export const quick: Scale = {
  retained: [1_000, 100_000],
  rounds: 1,
  attempts: 1,
  warmUp: 3_000,
  repeats: 1,
  requests: 6_000,
  reached: 300,
  starts: 1,
  restMs: 1_500,
  rivalRequests: 2_000,
}
