import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type LowdbOptions, openLowdbStore } from '../../../src/store/lowdb/open.ts'
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
 * meanwhile that it had begun. Its lock is left out: closing a copy of it would end it.
 */
export async function copyOf(folder: string): Promise<string> {
  const copy = join(await temporaryFolder(), 'data')
  copyNow(folder, copy)
  return copy
}

function copyNow(from: string, to: string): void {
  mkdirSync(to)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.isDirectory()) copyNow(join(from, entry.name), join(to, entry.name))
    else if (entry.name !== 'lock') copyIfThere(join(from, entry.name), join(to, entry.name))
  }
}

function copyIfThere(from: string, to: string): void {
  try {
    copyFileSync(from, to)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}

/** Opens a store of five events to a segment, closed when the test is over, with what it tells people. */
export async function openStore(
  folder: string,
  options: Partial<LowdbOptions> = {},
): Promise<{ store: Store; troubles: string[] }> {
  const troubles: string[] = []
  const store = await openLowdbStore(folder, {
    now: () => start,
    onTrouble: (sentence) => troubles.push(sentence),
    segmentSize: 5,
    ...options,
  })
  onTestFinished(() => store.close())
  return { store, troubles }
}
