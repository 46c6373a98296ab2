import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { codeOf } from './failure.ts'
import { syncFolder } from './files.ts'

/** What is done with a document beside the database. `keep`: a copy of it is kept under another name, which is answered. */
export type DocumentStep =
  | { does: 'read'; name: string }
  | { does: 'write'; name: string; text: string; folder?: string }
  | { does: 'keep'; name: string; as: 'edited' | 'damaged' }

/** Each call ends before it answers. The file is the old one or the new one, whole, after every crash; its mode is 0600. */
export function stepDocument(folder: string, step: DocumentStep): string | undefined {
  const path = join(folder, step.name)
  if (step.does === 'read') return textOf(path)
  if (step.does === 'write') return replace(join(step.folder ?? folder, step.name), step.text)
  const name = nextName(`${path}.${step.as}`)
  copyFileSync(path, name, constants.COPYFILE_EXCL)
  return basename(name)
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function replace(path: string, text: string): undefined {
  const fresh = `${path}.new`
  const file = openSync(fresh, 'w', 0o600)
  try {
    // One that a crash left may be of another mode.
    fchmodSync(file, 0o600)
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(fresh, path)
  syncFolder(dirname(path))
}

/** NAME-1, or the next number that is free. */
function nextName(name: string): string {
  for (let number = 1; ; number++) {
    if (!existsSync(`${name}-${number}`)) return `${name}-${number}`
  }
}
