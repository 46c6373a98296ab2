import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { offerPostgres } from './postgres/door.ts'

let postgres: ReturnType<typeof offerPostgres> | undefined

/** All temporary files of a test go into one folder, which is removed at the end of the run. */
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
