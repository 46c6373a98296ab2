import type { Outcome } from '../../event/outcome.ts'
import type { ChainBatch } from '../../store/chain.ts'
import type { Store, StoredEntry } from '../../store/store.ts'
import { headOf, isWhole, linksOf } from './batch.ts'
import { createChainer, endOf } from './chain.ts'
import { canonical, type EvidenceFile, sumOf, textOf } from './file.ts'
import { createFingerprints } from './fingerprint.ts'
import { hashesOf, linkOf, receivedOf } from './link.ts'

interface MakeParts {
  store: Pick<Store, 'find' | 'list' | 'chain' | 'readState' | 'changeState'>
  /** Milliseconds since the epoch. */
  now(): number
  /** Aborts when nobody waits for the file any more. */
  signal?: AbortSignal | undefined
}

/** The text of a file of evidence, or why there can be none, as a sentence for people. */
export type EvidenceText = { file: string } | { problem: string }

/** So many heads are read at once. */
const headsAtOnce = 1_000

/** Rejects with the signal's reason if nobody waits for it any more. */
export async function makeEvidence(id: string, parts: MakeParts): Promise<EvidenceText> {
  const { store, now } = parts
  const stored = await store.find(id)
  if (stored === undefined)
    return { problem: `no event ${id} is stored: it never arrived, or is older than the retention` }
  const { entry, seq } = stored
  if (entry.kind !== 'alert') {
    return { problem: `${id} is not an alert: evidence files exist only for events that came from outside` }
  }
  const batch = await batchWith(seq, parts)
  const links = batch === undefined ? [] : linksOf(batch)
  if (batch === undefined) return { problem: await whyNotChained(id, parts) }
  if (!(await isUnchanged(batch, store))) {
    return {
      problem: `the batch of the chain with ${id} was changed in the store; see: bluepencil chain`,
    }
  }
  const received = receivedOf(entry, await createFingerprints()(entry, batch.salt))
  const hashes = hashesOf(received)
  const link = linkOf(hashes)
  if (!links.includes(link)) {
    return {
      problem: `${id} is not in the stored chain: the store was changed after it was accepted, or a part of the chain was lost`,
    }
  }
  const made = { at: new Date(now()).toISOString() }
  const sent = await sentOf(stored, store)
  const file: EvidenceFile = {
    format: 'bluepencil-evidence',
    version: 1,
    made: { ...made, sum: sumOf(made) },
    ...received,
    sent: { outcomes: sent, sum: sumOf(sent) },
    link: { ...hashes, link },
    batch: { links },
    chain: { previous: batch.previous, heads: await headsSince(batch, parts) },
  }
  return { file: textOf(canonical(file)) }
}

/** What came a moment ago is chained now. */
async function batchWith(seq: number, { store, now }: MakeParts): Promise<ChainBatch | undefined> {
  const chainer = createChainer({ store, now })
  let batch = await store.chain.holding(seq)
  for (let mayBeMore = true; batch === undefined && mayBeMore; ) {
    mayBeMore = await chainer.addBatch()
    // Nothing may be left to add because another process has just added it.
    batch = await store.chain.holding(seq)
  }
  return batch
}

type SentRows = EvidenceFile['sent']['outcomes']

/** Each outcome as it is stored; if another's message reports it, that one's too. */
async function sentOf({ outcomes }: StoredEntry, store: Pick<Store, 'find'>): Promise<SentRows> {
  const rows: SentRows = []
  for (const [channel, outcome] of Object.entries(outcomes)) {
    const merged = await mergedInto(outcome, channel, store)
    rows.push({ channel, outcome: plainJson(outcome), ...(merged && { mergedInto: merged }) })
  }
  return rows
}

async function mergedInto(first: Outcome, channel: string, store: Pick<Store, 'find'>) {
  let last: SentRows[number]['mergedInto']
  const seen = new Set<string>()
  for (let outcome = first; outcome.state === 'merged' && !seen.has(outcome.in); ) {
    seen.add(outcome.in)
    const leader = (await store.find(outcome.in))?.outcomes ?? {}
    const next = Object.hasOwn(leader, channel) ? leader[channel] : undefined
    if (next === undefined) break
    last = { id: outcome.in, outcome: plainJson(next) }
    outcome = next
  }
  return last
}

/** As it is when it is written and read again, with its state first, as the file's form has it. */
function plainJson(outcome: Outcome): { state: string } {
  const { state, ...more } = JSON.parse(JSON.stringify(outcome)) as Outcome
  return { state, ...more }
}

async function whyNotChained(id: string, { store }: MakeParts): Promise<string> {
  const { begins } = await endOf(store)
  const lost = begins === undefined ? '' : `: ${begins}, and a new stretch begins while serve runs`
  return `${id} is not in the chain yet${lost}; try again in a minute`
}

/** It is what its head says, and so does the batch behind it. */
async function isUnchanged(batch: ChainBatch, { chain }: Pick<Store, 'chain'>): Promise<boolean> {
  const [next] = await chain.from(batch.number + 1, 1)
  const isNext = next?.number === batch.number + 1
  return isWhole(batch) && (!isNext || next.previous === batch.head)
}

async function headsSince(first: ChainBatch, { store, signal }: MakeParts) {
  const heads: EvidenceFile['chain']['heads'] = []
  let before = first.previous
  for (let number = first.number; ; ) {
    signal?.throwIfAborted()
    const batches = await store.chain.from(number, headsAtOnce)
    for (const batch of batches) {
      const { number, at, count, digest, previous, head, begins } = batch
      // A part of the chain was lost or changed: what is behind it proves nothing of this.
      if (previous !== before || headOf(batch) !== head) return heads
      heads.push({ number, at, count, links: digest, head, ...(begins !== undefined && { begins }) })
      before = head
    }
    const last = batches.at(-1)
    if (last === undefined || batches.length < headsAtOnce) return heads
    number = last.number + 1
  }
}
