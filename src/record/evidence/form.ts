import { members } from './file.ts'

/** A part of a file of evidence that was changed, and what shows it. */
export interface EvidenceProblem {
  /** A member of the file: `body`, `headers`, …; `form` where it is none of them. */
  part: string
  what: string
}

/** A member of the file as it is written: on lines of its own, the first of which is indented by two blanks. */
interface FileRegion {
  part: string
  firstLine: number
  text: string
}

const strictly = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads the text; where it cannot be read, answers in which parts that is. */
export function formProblems(
  bytes: Uint8Array,
): { text: string; value: unknown } | { problems: EvidenceProblem[] } {
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
export function changedLine(text: string, expected: string): EvidenceProblem {
  const [lines, others] = [text.split('\n'), expected.split('\n')]
  const index = lines.findIndex((line, at) => line !== others[at])
  const at = index === -1 ? lines.length : index + 1
  const part = regionsOf(expected).findLast(({ firstLine }) => firstLine <= at)?.part ?? 'form'
  return { part, what: `line ${at} is not written as Bluepencil writes it` }
}
