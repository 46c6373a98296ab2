import * as z from 'zod'
import { base64Of, bytesFrom, sha256 } from './bytes.ts'

const Hash = z.string().regex(/^[0-9a-f]{64}$/)
const Time = z.iso.datetime()
const Line = z.string().regex(/^[^\r\n]*$/)
/** Without a colon: else a line could be split into name and value in two ways. */
const Name = z.string().regex(/^[^\r\n:]*$/)
/** As the store has it; what it says is in docs/evidence.md. */
const SentOutcome = z.looseObject({ state: z.string() })

const Head = z.strictObject({
  number: z.int().positive(),
  at: Time,
  count: z.int().positive(),
  links: Hash.describe('of the links of this batch'),
  head: Hash,
  begins: Line.exactOptional().describe(
    'Where a new stretch of the chain begins: what was lost before it, and why',
  ),
})

/** A file of evidence: docs/evidence.md. Each member is a part that can be changed, and is then named. */
export const EvidenceFile = z.strictObject({
  format: z.literal('bluepencil-evidence'),
  version: z.literal(1),
  made: z.strictObject({ at: Time, sum: Hash }).describe('When this file was made'),
  id: Line.min(1).describe('Of the event; evt_… as the service gave it'),
  received: Time.describe('When it came, by the clock of this installation'),
  way: z.enum(['webhook', 'list', 'found']),
  headers: z.record(Name, Line).describe('Those that say who sent the body and how it is signed'),
  signature: z
    .strictObject({
      hash: Line,
      encoding: Line,
      key: Line,
      salt: z.string().regex(/^[0-9a-f]{32}$/),
      fingerprint: z.string().regex(/^[0-9a-f]{32}$/),
    })
    .nullable()
    .describe('In which form the signature verified, and with which key; null where nothing was signed'),
  body: z.base64().describe('The bytes that came'),
  sent: z
    .strictObject({
      outcomes: z.array(
        z.strictObject({
          channel: z.string(),
          outcome: SentOutcome,
          mergedInto: z
            .strictObject({ id: z.string(), outcome: SentOutcome })
            .exactOptional()
            .describe('Where it has no message of its own: that of another event, which tells of it'),
        }),
      ),
      sum: Hash,
    })
    .describe('What was sent to whom, as this installation has it when the file is made'),
  link: z
    .strictObject({
      id: Hash,
      received: Hash,
      way: Hash,
      headers: Hash,
      signature: Hash,
      body: Hash,
      link: Hash,
    })
    .describe('The hash of each part, and of them all'),
  batch: z.strictObject({ links: z.array(Hash).min(1) }).describe('All links of the batch that has this one'),
  chain: z
    .strictObject({ previous: Hash, heads: z.array(Head).min(1) })
    .describe('The head before that batch, its own, and those since'),
})
export type EvidenceFile = z.infer<typeof EvidenceFile>

/** In the order in which they are written. */
export const members = Object.keys(EvidenceFile.shape)

/** Published as docs/evidence.schema.json. */
export function evidenceJsonSchema(): object {
  const name = 'A file of evidence, made by Bluepencil'
  return { title: name, ...z.toJSONSchema(EvidenceFile) }
}

/** The one way to write what a file says: headers by their names, and the bytes without a bit that says nothing. */
export function canonical(file: EvidenceFile): EvidenceFile {
  const body = base64Of(bytesFrom(file.body))
  return { ...file, headers: Object.fromEntries(sortedHeaders(file)), body }
}

export function sortedHeaders({ headers }: Pick<EvidenceFile, 'headers'>): [name: string, value: string][] {
  return Object.entries(headers).toSorted(([one], [other]) => (one < other ? -1 : 1))
}

/** There is one way to write a file, so that a changed byte of it cannot go unnoticed. */
export function textOf(file: unknown): string {
  return `${JSON.stringify(file, null, 2)}\n`
}

/** What a file about an event is called: ids may have any characters. */
export function fileNameOf(id: string, ending = 'evidence.json'): string {
  return `${id.replace(/[^\w.~-]/g, '_').slice(0, 100)}.${ending}`
}

/** Of a part that the chain does not have: against accidents, and not against who makes a new sum. */
export function sumOf(part: unknown): string {
  return sha256(JSON.stringify(part))
}

export function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('')
}
