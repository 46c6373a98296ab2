/** `webhooks.write` is the specification's ("Authentication", 4); which others there are is not shown. */
export const keyScopes = ['monitoring.read', 'research.read', 'webhooks.write'] as const
export type KeyScope = (typeof keyScopes)[number]

/** Who asks: an API key, or an OAuth client through one of its tokens. */
export interface Key {
  /** What requests are counted under, and whose the subscriptions are. */
  name: string
  /** Requests per hour ("Limits"). */
  hourlyLimit: number
  scopes: readonly KeyScope[]
}

/** Free, Researcher and Pro as the specification has them. Enterprise is "custom": ten times Pro here. */
export const hourlyLimits = { free: 100, researcher: 1_000, pro: 10_000, enterprise: 100_000 }

const readOnly: readonly KeyScope[] = ['monitoring.read', 'research.read']

const keys: readonly Key[] = [
  { name: 'sandbox-free', hourlyLimit: hourlyLimits.free, scopes: keyScopes },
  { name: 'sandbox-researcher', hourlyLimit: hourlyLimits.researcher, scopes: keyScopes },
  { name: 'sandbox-pro', hourlyLimit: hourlyLimits.pro, scopes: keyScopes },
  { name: 'sandbox-enterprise', hourlyLimit: hourlyLimits.enterprise, scopes: keyScopes },
  { name: 'sandbox-readonly', hourlyLimit: hourlyLimits.researcher, scopes: readOnly },
]

/** One for each key, of the same tier; `sandbox-client` is of the tier Pro. The secret is the id with `-secret` behind it. */
const clients: readonly Key[] = [
  { name: 'sandbox-client', hourlyLimit: hourlyLimits.pro, scopes: keyScopes },
  { name: 'sandbox-client-free', hourlyLimit: hourlyLimits.free, scopes: keyScopes },
  { name: 'sandbox-client-researcher', hourlyLimit: hourlyLimits.researcher, scopes: keyScopes },
  { name: 'sandbox-client-enterprise', hourlyLimit: hourlyLimits.enterprise, scopes: keyScopes },
  { name: 'sandbox-client-readonly', hourlyLimit: hourlyLimits.researcher, scopes: readOnly },
]

export const keyNames = keys.map((key) => key.name)
export const clientIds = clients.map((client) => client.name)

export function findKey(name: string): Key | undefined {
  return keys.find((key) => key.name === name)
}

/** The OAuth client with that id, if the secret is right. */
export function findClient(id: string, secret: string): Key | undefined {
  return clients.find((client) => client.name === id && secret === `${id}-secret`)
}
