import { stringify } from 'yaml'
import type { Config } from '../config/schema.ts'
import { secretsOf } from '../config/secrets.ts'
import { dayMs, hourMs, minuteMs } from '../platform/durations.ts'

const mask = '(secret)'
/** No value of these keys is shown, known secret or not. */
const hidden =
  /^(apiKey|clientSecret|refreshToken|secrets?|token|tokens|signingSecret|appToken|password|pass|webhookUrl)$/
const durations = /^(retention|interval|every|within)$/

/** The configuration as it is in force, as YAML, without any secret. */
export function maskedConfiguration(config: Config): string {
  const secrets = secretsOf(config).toSorted((one, other) => other.length - one.length)
  return stringify(masked(config, '', secrets), { lineWidth: 0 })
}

function masked(value: unknown, key: string, secrets: readonly string[]): unknown {
  if (value === undefined || value === null) return value
  if (hidden.test(key)) return Array.isArray(value) ? value.map(() => mask) : mask
  if (Array.isArray(value)) return value.map((one) => masked(one, '', secrets))
  if (typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, masked(one, name, secrets)]))
  }
  if (typeof value === 'number' && durations.test(key)) return durationText(value)
  if (typeof value !== 'string') return value
  return secrets.reduce((text, secret) => text.replaceAll(secret, mask), value)
}

/** "90d", as it is written in the file. */
function durationText(milliseconds: number): string | number {
  const units = [
    ['d', dayMs],
    ['h', hourMs],
    ['m', minuteMs],
    ['s', 1_000],
  ] as const
  const fit = units.find(([, unit]) => milliseconds % unit === 0)
  return fit === undefined ? milliseconds : `${milliseconds / fit[1]}${fit[0]}`
}
