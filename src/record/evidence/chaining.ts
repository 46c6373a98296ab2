import { randomBytes } from 'node:crypto'
import type { AlertEvent } from '../../event/event.ts'
import type { ChainBatch } from '../../store/chain.ts'
import { oldestFirst } from '../../store/oldest-first.ts'
import type { Store } from '../../store/store.ts'
import { batchOf } from './batch.ts'
import { createFingerprints } from './fingerprint.ts'
import { endOf, remember } from './known.ts'
import { hashesOf, linkOf, receivedOf } from './link.ts'

/** So many alerts in one batch: a file of evidence has the links of all of them. */
const mostLinks = 500
/** So many are read and hashed in one go: a millisecond. */
const atOnce = 100

interface ChainerParts {
  store: Pick<Store, 'list' | 'chain' | 'readState' | 'changeState'>
  /** Milliseconds since the epoch. */
  now(): number
}

/** Chains what was accepted, some time after it was. */
export interface Chainer {
  /**
   * Adds a batch of the oldest alerts that no batch has. Answers whether there may be more. Where another process has added
   * it meanwhile, that one counts. Where the end of the chain was lost, a new stretch begins only for who names the loss:
   * `reported`, as a sentence.
   */
  addBatch(reported?: string): Promise<boolean>
}

export function createChainer({ store, now }: ChainerParts): Chainer {
  const signedBy = createFingerprints()
  /** From a batch on there is no alert that is not chained: notices and acts need not be read again. */
  let seen = { after: 0, upTo: 0 }

  async function linksAfter(newest: ChainBatch | undefined, salt: string) {
    const found = { links: [] as string[], upTo: 0, mayBeMore: false }
    const chained = newest?.upTo ?? 0
    // Where the end of the chain was lost, what it had is chained again.
    if (chained !== seen.after) seen = { after: chained, upTo: chained }
    for await (const rows of oldestFirst(store, { after: seen.upTo, atOnce })) {
      for (const { entry, seq } of rows) {
        if (found.links.length === 0 && entry.kind !== 'alert') seen.upTo = seq
        if (entry.kind !== 'alert') continue
        found.links.push(await linkFor(entry, salt))
        found.upTo = seq
      }
      found.mayBeMore = found.links.length > mostLinks - atOnce
      if (found.mayBeMore) break
    }
    return found
  }

  async function linkFor(alert: AlertEvent, salt: string): Promise<string> {
    return linkOf(hashesOf(receivedOf(alert, await signedBy(alert, salt))))
  }

  return {
    async addBatch(reported) {
      const { newest, number, previous, begins } = await endOf(store)
      if (begins !== reported && begins !== undefined) return false
      const salt = newest?.salt ?? randomBytes(16).toString('hex')
      const { links, upTo, mayBeMore } = await linksAfter(newest, salt)
      if (links.length === 0) return false
      const at = new Date(now()).toISOString()
      const anew = begins === undefined ? {} : { begins }
      const batch = batchOf({ number: number + 1, at, upTo, salt, previous, ...anew }, links)
      if (!(await store.chain.add(batch))) return true
      await remember(store, batch)
      return mayBeMore
    },
  }
}
