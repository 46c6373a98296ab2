import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { Act, Person } from '../../event/act.ts'
import { type Store, stateOf } from '../../store/store.ts'
import { acceptInto, actId, type Doer } from './acts.ts'
import { hashOf, newSecret } from './secrets.ts'
import { createSettings, type Settings } from './settings.ts'
import { type HourlyUses, hourlyUses } from './uses.ts'

/** What a program may read with it. */
export const TokenUse = z.enum(['feeds', 'api'])
export type TokenUse = z.infer<typeof TokenUse>

/** Times are ISO 8601, UTC. */
const KnownToken = z.object({
  /** No secret. */
  id: z.string(),
  name: z.string(),
  use: TokenUse,
  /** `hashOf` the token. */
  hash: z.string(),
  madeBy: z.string(),
  madeAt: z.string(),
  /** To the hour. */
  usedAt: z.string().optional(),
})
export type KnownToken = z.infer<typeof KnownToken>

/** What cannot be read is none: nobody gets in by it. */
const Tokens = z.array(KnownToken).catch([])

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
  /** Undefined if nobody has made it for this use, or it was revoked. */
  find(given: string, use: TokenUse): Promise<KnownToken | undefined>
}

interface TokensParts {
  settings: Pick<Settings, 'read' | 'change' | 'isRecorded'>
  uses: HourlyUses
  now(): number
}

const most = 100
/** With a sign by which programs that look for secrets in files know it. */
const form = /^bp(?:feeds|api)_[\w-]{43}$/

export function openTokens({ settings, uses, now }: TokensParts): ConsoleTokens {
  const read = async () => Tokens.parse(await settings.read('tokens'))

  return {
    async list() {
      const used = await uses.read()
      return (await read()).map((one) => ({ ...one, ...(used[one.id] && { usedAt: used[one.id] }) }))
    },
    async make(doer, { name, use }) {
      const id = `tok_${createHash('sha256').update(JSON.stringify(doer.key)).digest('hex').slice(0, 16)}`
      const act = tokenAct('make-token', doer.by, { id, name, use }, now())
      // It may have been revoked since.
      if (await settings.isRecorded(act.id)) return 'already'
      const token = `bp${use}_${newSecret()}`
      const entry = { id, name, use, hash: hashOf(token), madeBy: doer.by.name, madeAt: act.receivedAt }
      const add = (before: unknown) => {
        const tokens = Tokens.parse(before)
        return tokens.length < most ? [...tokens, entry] : undefined
      }
      const result = await settings.change('tokens', add, act)
      if (result === 'changed') return { token, known: entry }
      return result === 'repeated' ? 'already' : 'full'
    },
    async revoke(doer, id) {
      const entry = (await read()).find((one) => one.id === id)
      if (entry === undefined) return 'unknown'
      const remove = (before: unknown) => Tokens.parse(before).filter((one) => one.id !== id)
      await settings.change('tokens', remove, tokenAct('revoke-token', doer.by, entry, now()))
      await uses.drop(id)
      return 'done'
    },
    async find(given, use) {
      if (!form.test(given)) return undefined
      // By its hash: how long the comparison takes says nothing of the token.
      const hash = hashOf(given)
      const entry = (await read()).find((one) => one.use === use && one.hash === hash)
      if (entry !== undefined) uses.note(entry.id)
      return entry
    },
  }
}

/** For commands without a running service: it alone notes when tokens are used. */
export function tokensOn(
  store: Pick<Store, 'accept' | 'find' | 'readState' | 'changeState'>,
  now: () => number,
): TokensOfPeople {
  const settings = createSettings({ store, accept: acceptInto(store) })
  const uses = hourlyUses({ stored: stateOf(store, 'token-uses'), now, onError: () => {} })
  return openTokens({ settings, uses, now })
}

/** The same token made or revoked again is the same act. The act names it, and never has the token itself. */
function tokenAct(
  does: 'make-token' | 'revoke-token',
  by: Person,
  { id: token, name, use }: Pick<KnownToken, 'id' | 'name' | 'use'>,
  now: number,
): Act {
  const receivedAt = new Date(now).toISOString()
  return { kind: 'act', id: actId(does, token), does, by, about: null, token, name, use, receivedAt }
}
