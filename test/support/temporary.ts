import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { offerPostgres } from './postgres/door.ts'

let postgres: ReturnType<typeof offerPostgres> | undefined

/** Whatever a test makes among temporary files goes into one folder, which is gone when the run has ended. */
export function setup(): void {
  // A short name: the path of a socket below it must not be longer than 107 bytes.
  const folder = mkdtempSync(join(tmpdir(), 'bp-'))
  process.env.TMPDIR = folder
  const offered = offerPostgres(folder)
  postgres = offered
  // Later than teardown, which an interrupted run has not: processes that were killed may still be at work there then.
  process.once('exit', () => {
    offered.kill()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
}

export async function teardown(): Promise<void> {
  await postgres?.end()
}
