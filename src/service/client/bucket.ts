import { hourMs } from '../../platform/durations.ts'

/** Requests per hour by plan tier ("Limits"). Enterprise is custom: a number. */
const tiers = { free: 100, researcher: 1_000, pro: 10_000 }

/** By its name, or as a number. */
export type Tier = keyof typeof tiers | number

/** Requests per hour. */
export function tierOf(tier: Tier): number {
  return typeof tier === 'number' ? tier : tiers[tier]
}

/** Of the tier's requests, a quarter is kept for people's questions; `all` is for who shares with nobody. */
export type Share = 'service' | 'people' | 'all'

export interface RefillRate {
  /** The most that can be spent at once. */
  burst: number
  /** What comes back in an hour. */
  perHour: number
}

/**
 * The interface does not say whether the service's hour is fixed or slides ("Limits"). So requests in *any* hour stay
 * within the tier. A full bucket gives `burst` at once and `perHour` in the next hour; together they are the share. The
 * hour has 61 minutes here, since requests sent over a little more than an hour may arrive within one.
 */
export function rateOf(tier: number, share: Share): RefillRate {
  const forPeople = Math.floor(tier / 4)
  const most = { people: forPeople, service: tier - forPeople, all: tier }[share]
  // People ask much at once and then nothing; the service asks all the time.
  const burst = Math.max(1, Math.floor(most * (share === 'people' ? 0.6 : 0.2)))
  return { burst, perHour: ((most - burst) * 60) / 61 }
}

/** A moment by two clocks: the wall's may be set, the machine's uptime ends with the machine. Milliseconds. */
export interface WallAndUptime {
  wallMs: number
  uptimeMs: number
}

export interface Bucket extends WallAndUptime {
  tokens: number
  /** For so long the service wants no request at all (429). */
  blockedMs: number
}

interface RequestGrant {
  bucket: Bucket
  verdict: 'granted' | 'spent' | 'blocked'
  /** Milliseconds until there may be one; 0 if it was granted. */
  waitMs: number
}

/** Takes one request out of the bucket; a bucket that never was is a full one. */
export function grantRequest(before: Bucket | undefined, rate: RefillRate, now: WallAndUptime): RequestGrant {
  const bucket = refill(before, rate, now)
  if (bucket.blockedMs > 0) return { bucket, verdict: 'blocked', waitMs: Math.ceil(bucket.blockedMs) }
  if (bucket.tokens >= 1) {
    return { bucket: { ...bucket, tokens: bucket.tokens - 1 }, verdict: 'granted', waitMs: 0 }
  }
  return { bucket, verdict: 'spent', waitMs: Math.ceil(((1 - bucket.tokens) / rate.perHour) * hourMs) }
}

/** Requests that may leave at once as it stands now; a fraction is on its way. */
export function left(before: Bucket | undefined, rate: RefillRate, now: WallAndUptime): number {
  const { tokens, blockedMs } = refill(before, rate, now)
  return blockedMs > 0 ? 0 : Math.max(0, tokens)
}

/** Blocks all requests for so long, even if the bucket is full. */
export function block(
  before: Bucket | undefined,
  rate: RefillRate,
  now: WallAndUptime,
  waitMs: number,
): Bucket {
  const bucket = refill(before, rate, now)
  return { ...bucket, blockedMs: Math.max(bucket.blockedMs, waitMs) }
}

/**
 * The clocks of two machines differ by as much at most. The machine that is ahead has already credited the bucket for that time,
 * so a request of the other machine in between must not credit it again. A clock that goes back by more was set.
 */
const skewMs = 5_000

/** The bucket as it stands now. */
function refill(before: Bucket | undefined, rate: RefillRate, now: WallAndUptime): Bucket {
  if (before === undefined) return { ...now, tokens: rate.burst, blockedMs: 0 }
  const elapsedMs = elapsed(before, now)
  const behindMs = before.wallMs - now.wallMs
  return {
    ...now,
    ...(behindMs > 0 && behindMs <= skewMs && { wallMs: before.wallMs }),
    tokens: Math.min(rate.burst, before.tokens + (elapsedMs * rate.perHour) / hourMs),
    blockedMs: Math.max(0, before.blockedMs - elapsedMs),
  }
}

/**
 * The time that has certainly passed. A wall clock that was set forward must not add requests, nor may a folder from another
 * machine. After a restart of the machine, at least its uptime has passed.
 */
function elapsed(before: WallAndUptime, now: WallAndUptime): number {
  const uptimeMs = now.uptimeMs >= before.uptimeMs ? now.uptimeMs - before.uptimeMs : now.uptimeMs
  return Math.max(0, Math.min(uptimeMs, now.wallMs - before.wallMs))
}
