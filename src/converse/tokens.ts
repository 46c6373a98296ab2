import { createHash, randomBytes } from 'node:crypto'
import * as z from 'zod'
import { hourMs } from '../durations.ts'
import { type Remembered, stateOf } from '../store/state-of.ts'
import type { Store } from '../store/store.ts'
import { type Doer, takenInto } from './acts.ts'
import { createTokenActs, type TokenActs } from './token-acts.ts'

/** What a program may read with it. */
export const TokenUse = z.enum(['feeds', 'api'])
export type TokenUse = z.infer<typeof TokenUse>

/** Times are ISO 8601, UTC. */
const Known = z.object({
  /** No secret. */
  id: z.string(),
  name: z.string(),
  use: TokenUse,
  /** SHA-256 of the token, base64url: it has 256 bits of its own, and so needs neither salt nor time. */
  hash: z.string(),
  madeBy: z.string(),
  madeAt: z.string(),
  /** To the hour. */
  usedAt: z.string().optional(),
})
export type KnownToken = z.infer<typeof Known>

/** What cannot be read is none: it is state of our own making, and nobody gets in by it. */
const Tokens = z.array(Known).catch([])

/** What people do about the tokens of the console. */
export interface TokensOfPeople {
  list(): Promise<KnownToken[]>
  /** The token itself is stored nowhere. `already`: by the same form; `full`: there are too many. */
  make(
    doer: Doer,
    wanted: { name: string; use: TokenUse },
  ): Promise<{ token: string; known: KnownToken } | 'already' | 'full'>
  revoke(doer: Doer, id: string): Promise<'done' | 'unknown'>
}

export interface ConsoleTokens extends TokensOfPeople {
  /** Undefined where nobody has made it for this use, or it was revoked. */
  find(given: string, use: TokenUse): Promise<KnownToken | undefined>
}

interface TokensParts {
  state: Remembered
  acts: TokenActs
  now(): number
  onError(error: unknown): void
}

const most = 100
/** With a sign by which programs that look for secrets in files know it. */
const form = /^bp(?:feeds|api)_[\w-]{43}$/

export function openTokens({ state, acts, now, onError }: TokensParts): ConsoleTokens {
  const noting = new Set<string>()
  const read = async () => Tokens.parse(await state.read())
  const change = (how: (tokens: KnownToken[]) => KnownToken[]) =>
    state.change((before) => how(Tokens.parse(before)))

  /** A use is written down once in an hour, and nobody waits for it. */
  async function noteUse({ id, usedAt }: KnownToken): Promise<void> {
    const isNoted = usedAt !== undefined && Math.abs(now() - Date.parse(usedAt)) < hourMs
    if (isNoted || noting.has(id)) return
    noting.add(id)
    const at = new Date(now()).toISOString()
    await change((tokens) => tokens.map((one) => (one.id === id ? { ...one, usedAt: at } : one)))
      .catch(onError)
      .finally(() => noting.delete(id))
  }

  return {
    list: read,
    async make(doer, { name, use }) {
      if ((await read()).length >= most) return 'full'
      const id = `tok_${createHash('sha256').update(JSON.stringify(doer.key)).digest('hex').slice(0, 16)}`
      if ((await acts.made(doer, { id, name, use })) === 'already') return 'already'
      const token = `bp${use}_${randomBytes(32).toString('base64url')}`
      const madeAt = new Date(now()).toISOString()
      const known = { id, name, use, hash: hashOf(token), madeBy: doer.by.name, madeAt }
      await change((tokens) => [...tokens, known])
      return { token, known }
    },
    async revoke(doer, id) {
      const known = (await read()).find((one) => one.id === id)
      if (known === undefined) return 'unknown'
      // Where a try before ended between the two, the second still takes effect.
      await acts.revoked(doer, known)
      await change((tokens) => tokens.filter((one) => one.id !== id))
      return 'done'
    },
    async find(given, use) {
      if (!form.test(given)) return undefined
      // By its hash: how long the comparison takes says nothing of the token.
      const hash = hashOf(given)
      const known = (await read()).find((one) => one.use === use && one.hash === hash)
      if (known !== undefined) void noteUse(known)
      return known
    },
  }
}

/** For who has a store, and to whom nobody comes with a token: who serves notes its uses. */
export function tokensOn(
  store: Pick<Store, 'accept' | 'readState' | 'changeState'>,
  now: () => number,
): TokensOfPeople {
  return openTokens({
    state: stateOf(store, 'console-tokens'),
    acts: createTokenActs({ now, take: takenInto(store) }),
    now,
    onError: () => {},
  })
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
