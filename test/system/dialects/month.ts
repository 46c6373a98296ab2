import { grantRequest, rateOf, type Share } from '../../../src/service/client/bucket.ts'
import type { ServiceDialect } from '../../../src/service/sandbox/dialect.ts'
import { HourlyLimits, SlidingHour } from '../../../src/service/sandbox/limits.ts'
import type { Random } from '../../../src/service/sandbox/random.ts'

/** The tier Free, in requests per hour ("Limits"). */
const tier = 100
const hourMs = 3_600_000
const monthMs = 30 * 24 * hourMs
const key = { name: 'sandbox-free', hourlyLimit: tier, scopes: [] }

export interface Month {
  /** Requests that left. */
  asked: number
  /** Those that the service answered with 429. */
  refused: number
  /** The most in any 60 minutes. */
  most: number
}

/**
 * A month that uses all of both shares of the budget, against the service's own count. It compares the
 * decisions of the client and of the sandbox, without the wire between them. The program goes on as soon as
 * it may, with pauses, so a full bucket meets every moment of the hour. People ask much at once, and then
 * nothing.
 */
export function monthOf({ 'limit-window': window }: ServiceDialect, random: Random): Month {
  const limits = new HourlyLimits(window)
  const hour = new SlidingHour()
  const asking = { service: asker('service', random), people: asker('people', random) }
  const month = { asked: 0, refused: 0, most: 0 }
  for (let now = 0; now < monthMs; now = Math.min(asking.service.nextAt, asking.people.nextAt)) {
    const share = asking.service.nextAt <= now ? asking.service : asking.people
    if (!share.ask(now)) continue
    month.asked += 1
    if (!limits.count(key, now).granted) month.refused += 1
    hour.add(now)
    month.most = Math.max(month.most, hour.count(now))
  }
  return month
}

function asker(share: Share, random: Random) {
  const rate = rateOf(tier, share)
  const pauses = share === 'people' ? 0.2 : 0.004
  let bucket: Parameters<typeof grantRequest>[0]
  return {
    nextAt: 0,
    /** Whether a request leaves now. */
    ask(now: number): boolean {
      const taken = grantRequest(bucket, rate, { wallMs: now, uptimeMs: now })
      bucket = taken.bucket
      const spent = taken.verdict !== 'granted'
      const pausing = spent && random() < pauses
      this.nextAt = now + taken.waitMs + (pausing ? Math.floor(random() * 3 * hourMs) : 0)
      return !spent
    },
  }
}
