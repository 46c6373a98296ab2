import { counted, plain } from '../../platform/text.ts'
import { sha256 } from './bytes.ts'
import type { EvidenceFile } from './file.ts'
import { type CheckedEvidence, type EvidenceProblem, verifyEvidence } from './verify.ts'

/** What verifying a file came to, in sentences: `bluepencil verify` and the page in a browser say the same. */
export interface EvidenceVerdict extends CheckedEvidence {
  isWhole: boolean
  /** SHA-256 of the file, hex. */
  sha256: string
  /** One sentence that says it all. */
  heading: string
  /** What was changed, if something was; else what the file shows. */
  rows: string[]
  notes: string[]
}

interface EvidenceComparison {
  /** A head of the chain that was published, if somebody has one. */
  head?: string | undefined
  /** Why the secret does not bear the file out; null if it does, undefined if nobody gave one. Of a file that is whole. */
  whyNotSigned?: ((file: EvidenceFile) => Promise<string | undefined>) | undefined
  /** How to give them, in brackets. */
  how: { secret: string; head: string }
}

export function isHead(text: string): boolean {
  return /^[0-9a-f]{64}$/i.test(text)
}

/** Needs nothing but the bytes of the file, and what it is compared with. */
export async function verdictOf(bytes: Uint8Array, comparison: EvidenceComparison): Promise<EvidenceVerdict> {
  const { file, problems } = verifyEvidence(bytes)
  const hash = sha256(bytes)
  const common = { ...(file && { file }), sha256: hash, notes: [`sha256 of the file: ${hash}`] }
  if (file === undefined || problems.length > 0) {
    const isOther = file === undefined && problems.some(({ part }) => part === 'form' || part === 'format')
    const heading = isOther
      ? 'This is not an evidence file, or it has been changed:'
      : 'This file has been changed:'
    return { ...common, isWhole: false, problems, heading, rows: problems.map(rowOf) }
  }
  const against = await problemsAgainst(file, comparison)
  if (against.length > 0) {
    const heading = 'This file is whole, but does not match what you compared it with:'
    return { ...common, isWhole: false, problems: against, heading, rows: against.map(rowOf) }
  }
  const heading = `This file is whole: ${plain(file.id)}, received ${file.received}.`
  return { ...common, isWhole: true, problems: [], heading, rows: factsOf(file, comparison) }
}

function rowOf({ part, what }: EvidenceProblem): string {
  return `${plain(part)}: ${plain(what, 300)}`
}

async function problemsAgainst(
  file: EvidenceFile,
  { head, whyNotSigned }: EvidenceComparison,
): Promise<EvidenceProblem[]> {
  const why = await whyNotSigned?.(file)
  const isKnown = head === undefined || file.chain.heads.some((one) => one.head === head.toLowerCase())
  return [
    ...(why === undefined ? [] : [{ part: 'signature', what: why }]),
    ...(isKnown
      ? []
      : [
          {
            part: 'chain',
            what: 'the head that you gave is not in it: it is of another chain, or older than this event, or newer than this file',
          },
        ]),
  ]
}

function factsOf({ chain }: EvidenceFile, { head, whyNotSigned, how }: EvidenceComparison): string[] {
  const { heads } = chain
  const [own, newest] = [heads.at(0), heads.at(-1)]
  return [
    `It is in batch ${own?.number} of the chain, made ${own?.at}; ${counted(heads.length - 1, 'batch', 'batches')} since.`,
    ...heads.flatMap(({ number, begins }) =>
      begins === undefined
        ? []
        : [`A new stretch of the chain begins with ${number}: ${plain(begins, 300)}.`],
    ),
    `Newest head: ${newest?.number} ${newest?.at} ${newest?.head}`,
    whyNotSigned === undefined
      ? `The signature itself was not checked: that needs the secret ${how.secret}.`
      : 'The signature matches this body and this secret.',
    head === undefined
      ? `A head that was published in time proves when it was received ${how.head}.`
      : 'The head that you gave covers this event.',
  ]
}
