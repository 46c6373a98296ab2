import { readFile } from 'node:fs/promises'
import { plain } from '../platform/text.ts'
import { errorCode } from '../platform/unknown.ts'
import type { EvidenceFile } from '../record/evidence/file.ts'
import { whyNotSigned } from '../record/evidence/signed.ts'
import { type EvidenceVerdict, isHead, verdictOf } from '../record/evidence/verdict.ts'
import { CommandFailure } from './failure.ts'
import type { Terminal } from './terminal.ts'

interface VerifyOptions {
  secretFile?: string
  head?: string
  json?: boolean
}

/** What stands for `--secret-file`: an argument could be seen by other users of the machine. */
const variable = 'BLUEPENCIL_VERIFY_SECRET'

/** Checks a file of evidence by itself: no configuration, no store, no network. Returns the exit code. */
export async function verify(path: string, options: VerifyOptions, terminal: Terminal): Promise<number> {
  const { head } = options
  if (head !== undefined && !isHead(head)) {
    throw new CommandFailure(
      `--head has 64 hex digits, as bluepencil chain prints them; ${plain(head, 100)} is not a head`,
      2,
    )
  }
  const bytes = await read(path)
  const secret = await secretOf(options)
  const verdict = await verdictOf(bytes, {
    head,
    whyNotSigned: secret === undefined ? undefined : (file) => whyNotSigned(file, secret),
    how: { secret: `(--secret-file FILE, or ${variable})`, head: '(--head HEAD)' },
  })
  const { isWhole, sha256, problems, file } = verdict
  if (options.json) terminal.out(`${JSON.stringify({ sha256, problems, ...(file && factsOf(file)) })}\n`)
  else terminal.out(textOf(verdict))
  return isWhole ? 0 : 1
}

async function read(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (cause) {
    const code = errorCode(cause) ?? ''
    throw new CommandFailure(`${path} cannot be read (${code})`, 2, cause)
  }
}

async function secretOf({ secretFile }: VerifyOptions): Promise<string | undefined> {
  if (secretFile !== undefined) return (await read(secretFile)).toString().replace(/\r?\n$/, '')
  return process.env[variable] || undefined
}

function factsOf({ id, received, way, chain }: EvidenceFile) {
  const [own, newest] = [chain.heads.at(0), chain.heads.at(-1)]
  return { id, received, way, batch: own?.number, chainedAt: own?.at, newestHead: newest }
}

function textOf({ isWhole, heading, rows, notes }: EvidenceVerdict): string {
  const lines = [heading, ...rows.map((row) => (isWhole ? row : `  ${row}`)), ...notes]
  return lines.map((line) => `${line}\n`).join('')
}
