import { expect, test } from 'vitest'
import { hourMs } from '../../../src/platform/durations.ts'
import { grantRequest, rateOf, type Tier, tierOf } from '../../../src/service/client/bucket.ts'
import { findKey, type Key } from '../../../src/service/sandbox/keys.ts'
import { HourlyLimits, SlidingHour } from '../../../src/service/sandbox/limits.ts'

/** Requests per hour ("Limits"); what Enterprise has is agreed on, here the sandbox's. */
const tiers: { name: string; tier: Tier; perHour: number }[] = [
  { name: 'free', tier: 'free', perHour: 100 },
  { name: 'researcher', tier: 'researcher', perHour: 1_000 },
  { name: 'pro', tier: 'pro', perHour: 10_000 },
  { name: 'enterprise', tier: 100_000, perHour: 100_000 },
]

test.each(tiers)(
  'the budget of the tier $name uses what it has in an hour, and no more',
  ({ tier, perHour }) => {
    const rate = rateOf(tierOf(tier), 'all')
    const hour = new SlidingHour()
    let bucket: Parameters<typeof grantRequest>[0]
    let most = 0
    for (let now = 0; now < 2 * hourMs; ) {
      const taken = grantRequest(bucket, rate, { wallMs: now, uptimeMs: now })
      bucket = taken.bucket
      now += taken.waitMs
      if (taken.verdict !== 'granted') continue
      hour.add(now)
      most = Math.max(most, hour.count(now))
    }
    expect(most).toBeLessThanOrEqual(perHour)
    expect(most).toBeGreaterThan(0.95 * perHour)
  },
)

test.each(tiers)(
  'the key of the tier $name has its requests in an hour, and not one more',
  ({ name, perHour }) => {
    const key = keyOf(name)
    for (const window of ['fixed', 'sliding'] as const) {
      const limits = new HourlyLimits(window)
      let granted = 0
      while (limits.count(key, 0).granted) granted += 1
      expect(granted).toBe(perHour)
      expect(limits.count(key, hourMs - 1).granted).toBe(false)
      expect(limits.count(key, hourMs).granted).toBe(true)
    }
  },
)

function keyOf(name: string): Key {
  const key = findKey(`sandbox-${name}`)
  if (key === undefined) throw new Error(`the sandbox has no key of the tier ${name}`)
  return key
}
