import { createHash } from 'node:crypto'
import * as z from 'zod'

/** Where tokens are kept for all who use them: several clients, or several processes. */
export interface TokenStore {
  read(): Promise<unknown>
  /** Replaces what is there, in one step. */
  change(change: (before: unknown) => unknown): Promise<void>
  /** Does the work while nobody else renews a token; if that cannot be arranged, it does the work all the same. */
  alone<T>(work: () => Promise<T>): Promise<T>
}

/** A token that others may have been given. Times in milliseconds since the epoch; null if it lasts until it is refused. */
const SharedToken = z.object({
  value: z.string(),
  renewAt: z.number().nullable(),
  endsAt: z.number().nullable(),
  refreshToken: z.string().exactOptional(),
})
export type SharedToken = z.infer<typeof SharedToken>

const Shared = z.record(z.string(), SharedToken).catch({})
/** While a configuration is changed process by process, two are in use; what is older is nobody's. */
const mostKept = 3

/** Of one client as it is configured: a token of another secret or scope is not used. */
export function tokenKey(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}

/** Undefined if there is none, or the store cannot be read: a new token can be requested at any time. */
export async function readToken(store: TokenStore, key: string): Promise<SharedToken | undefined> {
  return Shared.parse(await store.read().catch(() => undefined))[key]
}

/** If it cannot be stored, only this process has it. */
export async function keepToken(store: TokenStore, key: string, token: SharedToken): Promise<void> {
  const replace = (before: unknown) => {
    const others = Object.entries(Shared.parse(before)).filter(([other]) => other !== key)
    return Object.fromEntries([...others, [key, token] as const].slice(-mostKept))
  }
  await store.change(replace).catch(() => undefined)
}
