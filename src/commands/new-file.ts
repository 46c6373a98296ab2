import { writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { errorCode } from '../platform/unknown.ts'
import { CommandFailure } from './failure.ts'

/** Writes a file that a person named, never over one that is there. Rejects with `CommandFailure`. */
export async function writeNewFile(
  file: string,
  content: string | AsyncIterable<string>,
  advice = 'name another',
  mode = 0o666,
): Promise<void> {
  try {
    await writeFile(file, typeof content === 'string' ? content : Readable.from(content), {
      flag: 'wx',
      mode,
    })
  } catch (cause) {
    const code = errorCode(cause) ?? ''
    // What the store answers is no matter of the file.
    if (!/^E[A-Z]+$/.test(code)) throw cause
    const why = code === 'EEXIST' ? 'it is there already' : `nothing can be written there (${code})`
    throw new CommandFailure(`${file} was not written: ${why}; ${advice}`, 1, cause)
  }
}
