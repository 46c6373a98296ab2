import { randomBytes } from 'node:crypto'
import type { AlertEvent } from '../event/event.ts'
import { type ChainBatch, noHead } from '../store/chain.ts'
import { oldestFirst } from '../store/oldest-first.ts'
import type { Store } from '../store/store.ts'
import { batchOf } from './batch.ts'
import { createFingerprints } from './fingerprint.ts'
import { hashesOf, linkOf, receivedOf } from './link.ts'

/** So many alerts in one batch: a file of evidence has the links of all of them. */
const mostLinks = 500
/** So many are read and hashed in one go: a millisecond. */
const atOnce = 100

interface ChainerParts {
  store: Pick<Store, 'list' | 'chain'>
  /** Milliseconds since the epoch. */
  now(): number
}

/** Chains what was accepted, some time after it was. */
export interface Chainer {
  /**
   * Adds a batch of the oldest alerts that no batch has. Answers whether there may be more. Where another process has added
   * it meanwhile, that one counts.
   */
  addBatch(): Promise<boolean>
}

export function createChainer({ store, now }: ChainerParts): Chainer {
  const signedBy = createFingerprints()
  /** Up to here there is no alert that is not chained: notices and acts need not be read again. */
  let seen = 0

  async function linksAfter(newest: ChainBatch | undefined, salt: string) {
    const found: { links: string[]; upTo: number } = { links: [], upTo: 0 }
    for await (const rows of oldestFirst(store, { after: Math.max(newest?.upTo ?? 0, seen), atOnce })) {
      for (const { entry, seq } of rows) {
        if (found.links.length === 0) seen = entry.kind === 'alert' ? seen : seq
        if (entry.kind !== 'alert') continue
        found.links.push(await linkFor(entry, salt))
        found.upTo = seq
      }
      if (found.links.length > mostLinks - atOnce) break
    }
    return found
  }

  async function linkFor(alert: AlertEvent, salt: string): Promise<string> {
    return linkOf(hashesOf(receivedOf(alert, await signedBy(alert, salt))))
  }

  return {
    async addBatch() {
      const newest = await store.chain.newest()
      const salt = newest?.salt ?? randomBytes(16).toString('hex')
      const { links, upTo } = await linksAfter(newest, salt)
      if (links.length === 0) return false
      const at = new Date(now()).toISOString()
      const number = (newest?.number ?? 0) + 1
      const previous = newest?.head ?? noHead
      await store.chain.add(batchOf({ number, at, upTo, salt, previous }, links))
      return true
    },
  }
}
