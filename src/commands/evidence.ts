import { hash } from 'node:crypto'
import { plain } from '../platform/text.ts'
import { fileNameOf } from '../record/evidence/file.ts'
import { type CommandOptions, configOf, withControl } from './configuration.ts'
import { CommandFailure } from './failure.ts'
import { writeNewFile } from './new-file.ts'
import type { Terminal } from './terminal.ts'

/** Writes a file of evidence; never over one that is there. */
export async function evidence(
  id: string,
  { output = fileNameOf(id), ...options }: CommandOptions & { output?: string },
  terminal: Terminal,
): Promise<void> {
  const made = await withControl(await configOf(options), terminal, (control) => control.evidence(id))
  if ('problem' in made) throw new CommandFailure(made.problem)
  await writeNewFile(output, made.file, 'name another with --output')
  const sha256 = hash('sha256', made.file)
  if (options.json) return terminal.out(`${JSON.stringify({ file: output, sha256 })}\n`)
  terminal.out(
    `The evidence for ${id} is in ${output}. Check it anywhere with: bluepencil verify ${output}\n`,
  )
  terminal.out(`sha256 of the file: ${sha256}\n`)
}

/** Prints the newest head, to be published; and what was lost of the chain or changed, since others should know of it too. */
export async function chain(options: CommandOptions, terminal: Terminal): Promise<void> {
  const { newest, ...checked } = await withControl(await configOf(options), terminal, (control) =>
    control.chain(),
  )
  const { stretches, faults, next } = checked
  if (newest === undefined) {
    const none = 'there is no chain yet: serve starts it with the first alert'
    throw new CommandFailure(next === undefined ? none : `the chain is lost: ${next}; serve starts a new one`)
  }
  if (options.json) return terminal.out(`${JSON.stringify({ ...newest, ...checked })}\n`)
  terminal.out(`${newest.number} ${newest.at} ${newest.head}\n`)
  for (const { number, at, begins } of stretches) {
    terminal.out(`a new stretch begins with ${number} ${at}: ${plain(begins, 300)}\n`)
  }
  if (next !== undefined) terminal.out(`a new stretch begins with the next batch: ${plain(next, 300)}\n`)
  for (const fault of faults) terminal.out(`not whole: ${plain(fault, 300)}\n`)
}
