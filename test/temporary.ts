import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Whatever a test makes among temporary files goes into one folder, which is gone when the run is over, however it ended. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'bluepencil-tests-'))
  process.env.TMPDIR = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
