import { digestOf, headOf, linksOf } from '../../src/record/evidence/batch.ts'
import { createFingerprints } from '../../src/record/evidence/fingerprint.ts'
import { hashesOf, linkOf, receivedOf } from '../../src/record/evidence/link.ts'
import { batchesOf, noHead } from '../../src/store/chain.ts'
import { oldestFirst } from '../../src/store/pages.ts'
import type { Store } from '../../src/store/store.ts'

/** The chain of a store beside the alerts that it is of. */
export interface Chained {
  /** The ids of the alerts that are stored, in order of arrival, and the link that each should have. */
  ids: string[]
  alerts: string[]
  /** As the chain has them. */
  links: string[]
  heads: string[]
  newest: string
  /** Heads that are not of what they say, or not of the head before. */
  faults: string[]
}

export async function chainOf(store: Pick<Store, 'list' | 'chain'>): Promise<Chained> {
  const chained: Chained = { ids: [], alerts: [], links: [], heads: [], newest: noHead, faults: [] }
  let salt = ''
  for await (const batch of batchesOf(store.chain)) {
    const { number, head, digest, previous } = batch
    const links = linksOf(batch)
    if (headOf(batch) !== head) chained.faults.push(`head ${number} is not of what it says`)
    if (previous !== chained.newest) chained.faults.push(`head ${number} does not follow`)
    if (batch.links !== null && digestOf(links) !== digest) chained.faults.push(`the links of ${number}`)
    chained.links.push(...links)
    chained.heads.push(head)
    chained.newest = head
    salt = batch.salt
  }
  const signedBy = createFingerprints()
  for await (const rows of oldestFirst(store, { atOnce: 500 })) {
    for (const { entry } of rows) {
      if (entry.kind !== 'alert') continue
      chained.ids.push(entry.id)
      chained.alerts.push(linkOf(hashesOf(receivedOf(entry, await signedBy(entry, salt)))))
    }
  }
  return chained
}
