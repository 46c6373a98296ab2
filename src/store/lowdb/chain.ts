import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import * as z from 'zod'
import { type ChainBatch, type ChainStore, follows } from '../chain.ts'
import { readChecked } from './checked.ts'
import type { Disk } from './disk.ts'
import { unavailable } from './failure.ts'
import { quarantine } from './files.ts'
import { JournalHead, parseJson, parseStored } from './format.ts'
import { createJournal, journalHead, journalLines } from './journal.ts'
import { replaceFile } from './json-file.ts'

export const chainFile = 'chain.journal'
/** It is a journal of no segment. */
const segment = 0
/** So much is read in one go: about a millisecond. */
const sliceBytes = 2 ** 18

const hex = z.string().regex(/^[0-9a-f]*$/)
const Batch = z.object({
  number: z.int(),
  at: z.string(),
  upTo: z.int(),
  salt: hex,
  count: z.int(),
  digest: hex,
  previous: hex,
  begins: z.string().exactOptional(),
  head: hex,
  links: hex.nullable(),
}) satisfies z.ZodType<ChainBatch>

/** The chain of a store in a folder: one file, a line for each batch. Of it, the newest batch alone stays in memory. */
export interface Chain extends ChainStore {
  last: ChainBatch | undefined
  /** Keeps the heads alone of batches all of whose alerts are gone: those before this `seq`. */
  forgetLinks(oldestSeq: number): Promise<void>
  /** Bytes that are on disk. */
  size(): number
  /** Ends when nothing is under way. */
  idle(): Promise<void>
}

interface ChainParts {
  disk: Disk
  folder: string
  onTrouble(sentence: string): void
}

/** Repairs what a crash or a sick disk left. */
export async function openChain({ disk, folder, onTrouble }: ChainParts): Promise<Chain> {
  const path = join(folder, chainFile)
  await disk.remove(`${path}.new`)
  let last: ChainBatch | undefined
  let journal = createJournal(disk, path, { segment, good: 0, torn: false, lines: 0 })
  let turn: Promise<unknown> = Promise.resolve()
  await load()

  async function load(): Promise<void> {
    const bytes = (await disk.read(path)) ?? Buffer.alloc(0)
    const { batches, good, isDamaged } = await readBatches(bytes)
    const torn = good < bytes.length
    last = batches.at(-1)
    journal = createJournal(disk, path, { segment, good, torn, lines: batches.length })
    if (!isDamaged) return
    const suffix = await quarantine(disk, path, 'copy')
    await write(batches)
    onTrouble(
      `${chainFile} was damaged, and is kept as it was as ${chainFile}${suffix}; if batches of the chain are missing by it, that is reported apart; everything else is served`,
    )
  }

  /** Somebody may have removed or cut the file off while the process runs. */
  async function reload(): Promise<void> {
    if (((await disk.stat(path))?.size ?? 0) >= journal.size()) return
    await journal.rest()
    await load()
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = turn.then(work)
    turn = done.catch(() => undefined)
    return done
  }

  async function write(batches: readonly ChainBatch[]): Promise<void> {
    const whole = Buffer.concat([journalHead(segment), journalLines(segment, 0, batches.map(lineOf))])
    await journal.rest()
    await replaceFile(disk, path, whole)
    journal = createJournal(disk, path, { segment, good: whole.length, torn: false, lines: batches.length })
  }

  async function all(): Promise<ChainBatch[]> {
    const now = await disk.read(path)
    return now === undefined ? [] : (await readBatches(now.subarray(0, journal.size()))).batches
  }

  return {
    get last() {
      return last
    },
    newest: () =>
      inTurn(async () => {
        await reload()
        return last
      }),
    from: (number, limit) =>
      inTurn(async () => (await all()).filter((one) => one.number >= number).slice(0, limit)),
    holding: (seq) => inTurn(async () => (await all()).find(({ upTo }) => upTo >= seq)),
    add: (batch) =>
      inTurn(async () => {
        if (!follows(batch, last)) return false
        try {
          await journal.append([lineOf(batch)])
        } catch (cause) {
          throw unavailable('the chain could not be written', cause)
        }
        last = batch
        return true
      }),
    forgetLinks: (oldestSeq) =>
      inTurn(async () => {
        const batches = await all()
        const isOld = ({ links, upTo }: ChainBatch) => links !== null && upTo < oldestSeq
        if (!batches.some(isOld)) return
        await write(batches.map((one) => (isOld(one) ? { ...one, links: null } : one)))
      }),
    size: () => journal.size(),
    async idle() {
      await turn
      await journal.mend().catch(() => undefined)
      await journal.rest()
    },
  }
}

/** Without its opening brace. */
function lineOf(batch: ChainBatch): string {
  return JSON.stringify(batch).slice(1)
}

interface Found {
  batches: ChainBatch[]
  /** Bytes up to the end of the last whole line. */
  good: number
  isDamaged: boolean
}

/** The file may be long, and nobody waits for it: it is read in slices. */
async function readBatches(bytes: Buffer): Promise<Found> {
  const found: Found = { batches: [], good: 0, isDamaged: false }
  let hasHead = false
  while (found.good < bytes.length) {
    const slice = sliceAt(bytes, found.good)
    const read = readChecked(slice)
    for (const line of read.lines) {
      const value = parseJson(line)
      const batch = Batch.safeParse(value)
      if (batch.success) found.batches.push(batch.data)
      else if (isHead(value)) hasHead = parseStored(line, JournalHead).segment === segment
      else found.isDamaged = true
    }
    found.isDamaged ||= read.mended > 0 || read.damaged.length > 0
    found.good += read.good
    // A crash cut the last line off.
    if (read.good < slice.length) break
    await setImmediate()
  }
  found.isDamaged ||= found.good > 0 && !hasHead
  return found
}

/** Whole lines, or what is left. */
function sliceAt(bytes: Buffer, from: number): Buffer {
  const end = bytes.indexOf(10, from + sliceBytes)
  return bytes.subarray(from, end === -1 ? bytes.length : end + 1)
}

function isHead(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'format' in value
}
