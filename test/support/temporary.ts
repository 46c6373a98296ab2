import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { offerPostgres } from './postgres/door.ts'
import { isNight } from './runs.ts'

let postgres: ReturnType<typeof offerPostgres> | undefined

/** All temporary files of a test go into one folder, which is removed at the end of the run. */
export function setup(): void {
  // A short name: the path of a socket below it must not be longer than 107 bytes.
  const folder = mkdtempSync(join(placeOfTemporaryFiles(), 'bp-'))
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

const memory = '/dev/shm'
const enoughBytes = 4 * 1024 ** 3

/** By day in memory, if there is room: an fsync took 0.5 ms on a disk and 0.01 there. At night on the disk, as a service is. */
function placeOfTemporaryFiles(): string {
  if (isNight() || process.env.TMPDIR !== undefined || !existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize < enoughBytes ? tmpdir() : memory
}
