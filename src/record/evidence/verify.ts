import { type ChainBatch, noHead } from '../../store/chain.ts'
import { digestOf, headOf } from './batch.ts'
import { canonical, EvidenceFile, members, sumOf, textOf } from './file.ts'
import { hashesOf, linkOf, partNames } from './link.ts'

/** What is wrong with a file of evidence; nothing if it is whole. `file` if it can be read at all. */
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
  const changed = 'it was changed after the file was made'
  return [
    ...(sumOf(madeRest) === madeSum ? [] : [{ part: 'made', what: changed }]),
    ...(sumOf(sent.outcomes) === sent.sum ? [] : [{ part: 'sent', what: changed }]),
  ]
}

/** The other hashes show whether a part or its hash was changed. */
function linkProblems(file: EvidenceFile): EvidenceProblem[] {
  const { link, ...stated } = file.link
  const computed = hashesOf(file)
  const different = partNames.filter((name) => computed[name] !== stated[name])
  const isLinkOf = (hashes: typeof stated) => linkOf(hashes) === link
  if (isLinkOf(stated)) {
    return different.map((part) => ({ part, what: 'it is not what was accepted: its hash differs' }))
  }
  if (isLinkOf(computed)) return different.map((name) => linkProblem(`the hash of ${name} was changed`))
  return [
    linkProblem('it does not match the hashes of its parts'),
    ...different.map((part) => ({ part, what: 'its hash differs from the one in the link' })),
  ]
}

function linkProblem(what: string): EvidenceProblem {
  return { part: 'link', what }
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
        : { part: 'batch', what: `its links do not belong to head ${own.number}` },
    )
  } else if (own.count !== batch.links.length) {
    problems.push({ part: 'chain', what: `head ${own.number}: its count was changed` })
  } else if (!batch.links.includes(link.link)) {
    const { link: _, ...hashes } = link
    // Where the link itself was changed, that has been said.
    if (linkOf(hashes) === link.link) {
      problems.push({ part: 'link', what: `it is not in batch ${own.number}` })
    }
  }
  if (problems.length > 0) return problems
  let previous = chain.previous
  let number = own.number
  for (const head of chain.heads) {
    if (head.number !== number) problems.push(headProblem(number, 'it is missing, or its number was changed'))
    else if (headOf({ ...head, digest: head.links, previous }) !== head.head) {
      problems.push(headProblem(number, 'it does not match its contents and the head before it'))
    }
    previous = head.head
    number = head.number + 1
  }
  const isFirst = own.number === 1
  if (isFirst !== (chain.previous === noHead) && problems.length === 0) {
    problems.push({ part: 'chain', what: 'only the first head follows a head of zeros' })
  }
  return problems
}

function headProblem(number: ChainBatch['number'], what: string): EvidenceProblem {
  return { part: 'chain', what: `head ${number}: ${what}` }
}

/** A part of a file of evidence that was changed, and what shows it. */
export interface EvidenceProblem {
  /** A member of the file: `body`, `headers`, …; `form` if it is none of them. */
  part: string
  what: string
}

/** A member of the file as it is written: on lines of its own. Its first line is indented by two blanks. */
interface FileRegion {
  part: string
  firstLine: number
  text: string
}

const strictly = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads the text; if it cannot be read, names the parts that are damaged. */
function formProblems(bytes: Uint8Array): { text: string; value: unknown } | { problems: EvidenceProblem[] } {
  const lossy = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  try {
    strictly.decode(bytes)
  } catch {
    const broken = regionsOf(lossy).filter(({ text }) => text.includes('\uFFFD'))
    return { problems: problemsOf(broken, 'it is not UTF-8') }
  }
  try {
    return { text: lossy, value: JSON.parse(lossy) }
  } catch {
    const broken = regionsOf(lossy).filter(({ text }) => !isMember(text))
    return { problems: problemsOf(broken, 'it is not JSON') }
  }
}

function problemsOf(regions: FileRegion[], what: string): EvidenceProblem[] {
  if (regions.length === 0) return [{ part: 'form', what: `the file is damaged: ${what}` }]
  return regions.map(({ part, firstLine }) => ({ part, what: `${what} (from line ${firstLine} on)` }))
}

function regionsOf(text: string): FileRegion[] {
  const regions: FileRegion[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const part = members[regions.length]
    const region = regions.at(-1)
    if (part !== undefined && beginsWith(line, `  "${part}":`)) {
      regions.push({ part, firstLine: index + 1, text: line })
    } else if (region !== undefined && line.length > 1 && !line.startsWith('}')) region.text += `\n${line}`
  }
  return regions
}

/** But for a single character, which may be the one that was changed. */
function beginsWith(line: string, start: string): boolean {
  let different = 0
  for (let at = 0; at < start.length && different < 2; at++) if (line[at] !== start[at]) different += 1
  return different < 2
}

function isMember(text: string): boolean {
  try {
    JSON.parse(`{${text.replace(/,\s*$/, '')}}`)
    return true
  } catch {
    return false
  }
}

/** The first line that is not as it would be written; both say the same. */
function changedLine(text: string, expected: string): EvidenceProblem {
  const [lines, others] = [text.split('\n'), expected.split('\n')]
  const index = lines.findIndex((line, at) => line !== others[at])
  const at = index === -1 ? lines.length : index + 1
  const part = regionsOf(expected).findLast(({ firstLine }) => firstLine <= at)?.part ?? 'form'
  return { part, what: `line ${at} is not written as Bluepencil writes it` }
}
