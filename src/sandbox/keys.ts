import { ServiceError } from './errors.ts'

export interface Key {
  name: string
  /** Requests per hour ("Limits"). */
  hourlyLimit: number
  /** May manage webhooks. */
  webhooks: boolean
}

/** Free, Researcher and Pro as the specification has them. Enterprise is "custom": ten times Pro here. */
const hourlyLimits = { free: 100, researcher: 1_000, pro: 10_000, enterprise: 100_000 }

const keys: readonly Key[] = [
  { name: 'sandbox-free', hourlyLimit: hourlyLimits.free, webhooks: true },
  { name: 'sandbox-researcher', hourlyLimit: hourlyLimits.researcher, webhooks: true },
  { name: 'sandbox-pro', hourlyLimit: hourlyLimits.pro, webhooks: true },
  { name: 'sandbox-enterprise', hourlyLimit: hourlyLimits.enterprise, webhooks: true },
  { name: 'sandbox-readonly', hourlyLimit: hourlyLimits.researcher, webhooks: false },
]

export const keyNames = keys.map((key) => key.name)

/** The key in an Authorization header. Throws a 401. */
export function authenticate(authorization: string | undefined): Key {
  const name = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  const key = keys.find((candidate) => candidate.name === name)
  if (key !== undefined) return key
  const what = authorization === undefined ? 'is missing' : 'is not one that this service gave out'
  throw new ServiceError(
    401,
    'UNAUTHORIZED',
    `The API key ${what}; send the header Authorization: Bearer <API_KEY>.`,
  )
}

/** Throws a 403 where the key may not manage webhooks. */
export function requireWebhooks(key: Key): void {
  if (!key.webhooks) {
    throw new ServiceError(403, 'FORBIDDEN', 'This key lacks the scope webhooks.write.')
  }
}
