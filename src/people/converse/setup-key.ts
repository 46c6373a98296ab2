import * as z from 'zod'
import { dayMs } from '../../platform/durations.ts'
import type { StoredValue } from '../../store/store.ts'
import { hashOf, newSecret } from './secrets.ts'

/** SHA-256, base64url: what is stored lets nobody in. */
const hash = z.string()

const StoredKeys = z
  .object({
    /** Of the key that sets Bluepencil up; absent once it was used. */
    key: hash.optional(),
    /** Of links by which somebody chooses a new password: whose, and until when, milliseconds since the epoch. */
    links: z.record(hash, z.object({ name: z.string(), until: z.number() })).default({}),
    /** With it our listener proves that an address leads to us. */
    probe: z.string().optional(),
  })
  .catch({ links: {} })

export const linkMs = dayMs
const mostLinks = 100

export type SetupKeys = ReturnType<typeof createSetupKeys>

/** Keys that work once, the same for all processes. They themselves are stored nowhere. */
export function createSetupKeys({ state, now }: { state: StoredValue; now(): number }) {
  let probe: string | undefined

  async function change(how: (before: z.infer<typeof StoredKeys>) => z.infer<typeof StoredKeys> | undefined) {
    await state.change((stored) => how(StoredKeys.parse(stored ?? {})))
  }

  return {
    /** A new key to set Bluepencil up with. The one before is worth nothing from now on. */
    async issue(): Promise<string> {
      const key = newSecret()
      await change((before) => ({ ...before, key: hashOf(key) }))
      return key
    },
    /** Uses the key up. Of two at the same time, one gets true. */
    async exchange(key: string): Promise<boolean> {
      let isRight = false
      await change((before) => {
        isRight = before.key === hashOf(key)
        return isRight ? { ...before, key: undefined } : undefined
      })
      return isRight
    },
    /** A link for somebody to choose a new password; it works once, for a day. An earlier one of theirs ends. */
    async makeLink(name: string): Promise<string> {
      const key = newSecret()
      await change((before) => {
        const others = Object.entries(before.links).filter(
          ([, link]) => link.until > now() && link.name !== name,
        )
        const link = { name, until: now() + linkMs }
        return {
          ...before,
          links: Object.fromEntries([...others.slice(-mostLinks), [hashOf(key), link]]),
        }
      })
      return key
    },
    /** Whose link it is, and its id; undefined if it was used, replaced, or is too old. */
    async readLink(key: string): Promise<{ id: string; name: string } | undefined> {
      const { links } = StoredKeys.parse((await state.read()) ?? {})
      const id = hashOf(key)
      const link = Object.hasOwn(links, id) ? links[id] : undefined
      return link !== undefined && link.until > now() ? { id, name: link.name } : undefined
    },
    async endLink(id: string): Promise<void> {
      await change((before) => {
        const { [id]: _used, ...others } = before.links
        return { ...before, links: others }
      })
    },
    async probeKey(): Promise<string> {
      if (probe !== undefined) return probe
      await change((before) => (before.probe === undefined ? { ...before, probe: newSecret() } : undefined))
      probe = StoredKeys.parse((await state.read()) ?? {}).probe ?? newSecret()
      return probe
    },
  }
}
