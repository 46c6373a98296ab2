import { type ChainBatch, noHead } from '../../store/chain.ts'
import { digestOf, headOf } from './batch.ts'
import { canonical, EvidenceFile, sumOf, textOf } from './file.ts'
import { changedLine, type EvidenceProblem, formProblems } from './form.ts'
import { hashesOf, linkOf, partNames, type ReceivedAlert } from './link.ts'

/** What is wrong with a file of evidence; nothing where it is whole. `file` where it can be read at all. */
export interface CheckedEvidence {
  problems: EvidenceProblem[]
  file?: EvidenceFile
}

/** Needs nothing but the bytes of the file. */
export function verifyEvidence(bytes: Uint8Array): CheckedEvidence {
  const read = formProblems(bytes)
  if ('problems' in read) return read
  const { value, text } = read
  const parsed = EvidenceFile.safeParse(value)
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }): EvidenceProblem => {
      const [part = 'form', ...inside] = path.map(String)
      return { part, what: inside.length === 0 ? message : `${inside.join('.')}: ${message}` }
    })
    return { problems }
  }
  const file = parsed.data
  const problems = [...sumProblems(file), ...linkProblems(file), ...chainProblems(file)]
  // It says the same, and is written otherwise.
  const written = textOf(canonical(file))
  if (problems.length === 0 && written !== text) problems.push(changedLine(text, written))
  return { problems, file }
}

function sumProblems({ made, sent }: EvidenceFile): EvidenceProblem[] {
  const { sum: madeSum, ...madeRest } = made
  const changed = 'it is not what was written when the file was made'
  return [
    ...(sumOf(madeRest) === madeSum ? [] : [{ part: 'made', what: changed }]),
    ...(sumOf(sent.outcomes) === sent.sum ? [] : [{ part: 'sent', what: changed }]),
  ]
}

/** A part that was changed is told from a hash that was changed by what the rest says. */
function linkProblems(file: EvidenceFile): EvidenceProblem[] {
  const { link, ...stated } = file.link
  const computed = hashesOf(receivedIn(file))
  const different = partNames.filter((name) => computed[name] !== stated[name])
  const isLinkOf = (hashes: typeof stated) => linkOf(hashes) === link
  if (isLinkOf(stated)) {
    return different.map((part) => ({ part, what: 'it is not what was accepted: its hash is another' }))
  }
  if (isLinkOf(computed)) return different.map((name) => linkProblem(`the hash of ${name} was changed`))
  return [
    linkProblem('it is not the hash of its parts'),
    ...different.map((part) => ({ part, what: 'its hash is not the one in the link' })),
  ]
}

function linkProblem(what: string): EvidenceProblem {
  return { part: 'link', what }
}

function receivedIn({ id, received, way, headers, signature, body }: EvidenceFile): ReceivedAlert {
  return { id, received, way, headers, signature, body: Buffer.from(body, 'base64') }
}

function chainProblems({ link, batch, chain }: EvidenceFile): EvidenceProblem[] {
  const problems: EvidenceProblem[] = []
  const [own] = chain.heads
  if (own === undefined) return [{ part: 'chain', what: 'it has no head' }]
  const digest = digestOf(batch.links)
  if (digest !== own.links) {
    const isHead = headOf({ ...own, digest, previous: chain.previous }) === own.head
    problems.push(
      isHead
        ? { part: 'chain', what: `head ${own.number}: the hash of its links was changed` }
        : { part: 'batch', what: `its links are not those of head ${own.number}` },
    )
  } else if (own.count !== batch.links.length) {
    problems.push({ part: 'chain', what: `head ${own.number}: its count was changed` })
  } else if (!batch.links.includes(link.link)) {
    const { link: _, ...hashes } = link
    // Where the link itself was changed, that has been said.
    if (linkOf(hashes) === link.link) {
      problems.push({ part: 'link', what: `it is none of batch ${own.number}` })
    }
  }
  if (problems.length > 0) return problems
  let previous = chain.previous
  let number = own.number
  for (const head of chain.heads) {
    if (head.number !== number) problems.push(headProblem(number, 'it is missing, or its number was changed'))
    else if (headOf({ ...head, digest: head.links, previous }) !== head.head) {
      problems.push(headProblem(number, 'it is not the hash of what it says and of the head before it'))
    }
    previous = head.head
    number = head.number + 1
  }
  const isFirst = own.number === 1
  if (isFirst !== (chain.previous === noHead) && problems.length === 0) {
    problems.push({ part: 'chain', what: 'the head before the first is zeros, and no other is' })
  }
  return problems
}

function headProblem(number: ChainBatch['number'], what: string): EvidenceProblem {
  return { part: 'chain', what: `head ${number}: ${what}` }
}
