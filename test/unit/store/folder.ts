import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openSqliteStore, type SqliteOptions } from '../../../src/store/sqlite/open.ts'
import type { Store } from '../../../src/store/store.ts'
import { start } from '../../contract/store.ts'

/** A folder that is gone when the test is over. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bluepencil-store-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/**
 * The folder as a process that ended now would leave it: copied at one go, so that the store takes at most the step
 * meanwhile that it had begun. Its locks are left out: closing a copy of them would end them.
 */
export async function copyOf(folder: string): Promise<string> {
  const copy = join(await temporaryFolder(), 'data')
  copyNow(folder, copy)
  return copy
}

export function copyNow(from: string, to: string): void {
  mkdirSync(to)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.isDirectory()) copyNow(join(from, entry.name), join(to, entry.name))
    else if (entry.name !== 'lock' && !entry.name.endsWith('-shm'))
      copyIfThere(join(from, entry.name), join(to, entry.name))
  }
}

function copyIfThere(from: string, to: string): void {
  try {
    copyFileSync(from, to)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}

/** Opens a store and closes it after the test, with the troubles that it reports. */
export async function openStore(
  folder: string,
  options: Partial<SqliteOptions> = {},
): Promise<{ store: Store; troubles: string[] }> {
  const troubles: string[] = []
  const store = await openSqliteStore(folder, {
    now: () => start,
    onTrouble: (sentence) => troubles.push(sentence),
    ...options,
  })
  onTestFinished(() => store.close())
  return { store, troubles }
}
