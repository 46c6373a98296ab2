import { join } from 'node:path'
import { Low } from 'lowdb'
import type { StateKey } from '../store.ts'
import type { Disk } from './disk.ts'
import { reasonOf, Unreadable, unavailable } from './failure.ts'
import { setAside } from './files.ts'
import { StateFile, version } from './format.ts'
import { jsonFile } from './json-file.ts'

/** Small state: one lowdb file, replaced as a whole. It holds secrets, so its mode is 0600 and no error quotes it. */
export interface State {
  read(key: StateKey): unknown
  write(key: StateKey, value: unknown): Promise<void>
  /** Ends when nothing is under way. */
  idle(): Promise<void>
}

export async function openState(
  disk: Disk,
  folder: string,
  onTrouble: (sentence: string) => void,
): Promise<State> {
  const path = join(folder, 'state.json')
  const empty: StateFile = { format: 'bluepencil-state', version, state: {} }
  const file = new Low<StateFile>(jsonFile(disk, path, StateFile), empty)
  let last: Promise<unknown> = Promise.resolve()
  try {
    await file.read()
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    const suffix = await setAside(disk, path, 'rename')
    onTrouble(
      `state.json could not be read (${reasonOf(error)}) and is kept as state.json${suffix}; the subscription and its secret are made anew, and deliveries signed with the old secret are refused until then`,
    )
  }

  async function replace(key: StateKey, value: unknown): Promise<void> {
    const before = file.data
    file.data = { ...before, state: { ...before.state, [key]: value } }
    try {
      await file.write()
    } catch (error) {
      file.data = before
      throw unavailable('the state could not be stored', error)
    }
  }

  return {
    read: (key) => structuredClone(file.data.state[key]),
    write(key, value) {
      const stored: unknown = value === undefined ? undefined : JSON.parse(JSON.stringify(value))
      const done = last.then(() => replace(key, stored))
      last = done.catch(() => undefined)
      return done
    },
    async idle() {
      await last
    },
  }
}
