import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { counted, plain } from '../platform/text.ts'
import type { EvidenceFile } from '../record/evidence/file.ts'
import { whyNotSigned } from '../record/evidence/signed.ts'
import { type EvidenceProblem, verifyEvidence } from '../record/evidence/verify.ts'
import { CommandFailure } from './failure.ts'
import type { Terminal } from './terminal.ts'

interface VerifyOptions {
  secretFile?: string
  head?: string
  json?: boolean
}

/** What stands for `--secret-file`: an argument could be seen by other users of the machine. */
const variable = 'BLUEPENCIL_VERIFY_SECRET'

/** Checks a file of evidence by itself: no configuration, no store, no network. Answers the exit code. */
export async function verify(path: string, options: VerifyOptions, terminal: Terminal): Promise<number> {
  if (options.head !== undefined && !/^[0-9a-f]{64}$/i.test(options.head)) {
    const given = plain(options.head, 100)
    throw new CommandFailure(
      `--head has 64 hex digits, as bluepencil chain prints them; ${given} is no head`,
      2,
    )
  }
  const bytes = await read(path)
  const secret = await secretOf(options)
  const { problems, file } = verifyEvidence(bytes)
  const isWhole = problems.length === 0
  if (file !== undefined && isWhole) problems.push(...(await against(file, { ...options, secret })))
  const sha256 = hash('sha256', bytes)
  if (options.json) terminal.out(`${JSON.stringify({ sha256, problems, ...(file && factsOf(file)) })}\n`)
  else terminal.out(textOf({ problems, file, sha256 }, { ...options, secret }))
  return problems.length === 0 ? 0 : 1
}

async function read(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    throw new CommandFailure(`${path} cannot be read (${code})`, 2, cause)
  }
}

async function secretOf({ secretFile }: VerifyOptions): Promise<string | undefined> {
  if (secretFile !== undefined) return (await read(secretFile)).toString().replace(/\r?\n$/, '')
  return process.env[variable] || undefined
}

/** What is given from elsewhere: the secret, and a head that was published. */
async function against(
  file: EvidenceFile,
  { secret, head }: { secret: string | undefined; head?: string },
): Promise<EvidenceProblem[]> {
  const problems: EvidenceProblem[] = []
  const why = secret === undefined ? undefined : await whyNotSigned(file, secret)
  if (why !== undefined) problems.push({ part: 'signature', what: why })
  if (head !== undefined && !file.chain.heads.some((one) => one.head === head.toLowerCase())) {
    problems.push({
      part: 'chain',
      what: 'the head that was given is none of these: it is of another chain, or was made before this event or after this file',
    })
  }
  return problems
}

function factsOf({ id, received, way, chain }: EvidenceFile) {
  const [own, newest] = [chain.heads.at(0), chain.heads.at(-1)]
  return { id, received, way, batch: own?.number, chainedAt: own?.at, newestHead: newest }
}

function textOf(
  {
    problems,
    file,
    sha256,
  }: { problems: readonly EvidenceProblem[]; file: EvidenceFile | undefined; sha256: string },
  { secret, head }: { secret: string | undefined; head?: string },
): string {
  const said = [`sha256 of the file: ${sha256}`]
  if (problems.length > 0 || file === undefined) {
    const rows = problems.map(({ part, what }) => `  ${plain(part)}: ${plain(what, 300)}`)
    return ['It is not as it was made, or does not fit:', ...rows, ...said]
      .map((line) => `${line}\n`)
      .join('')
  }
  const { heads } = file.chain
  const [own, newest] = [heads.at(0), heads.at(-1)]
  const facts = [
    `Whole: ${plain(file.id)}, received ${file.received}.`,
    `It is in batch ${own?.number} of the chain, made ${own?.at}; ${counted(heads.length - 1, 'batch', 'batches')} since.`,
    ...heads.flatMap(({ number, begins }) =>
      begins === undefined
        ? []
        : [`A new stretch of the chain begins with ${number}: ${plain(begins, 300)}.`],
    ),
    `newest head: ${newest?.number} ${newest?.at} ${newest?.head}`,
    secret === undefined
      ? `The signature itself was not checked: that needs the secret (--secret-file FILE, or ${variable}).`
      : 'The signature is of this body and this secret.',
    head === undefined
      ? 'When it was received is proven by a head that was published in time: --head HEAD.'
      : 'The head that was given stands for this event.',
  ]
  return [...facts, ...said].map((line) => `${line}\n`).join('')
}
