import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Whatever a test makes among temporary files goes into one folder, which is gone when the run has ended. */
export function setup(): void {
  // A short name: the path of a socket below it must not be longer than 107 bytes.
  const folder = mkdtempSync(join(tmpdir(), 'bp-'))
  process.env.TMPDIR = folder
  // Later than teardown: processes that were killed may still be at work there then.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
}
