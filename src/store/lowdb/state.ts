import { join } from 'node:path'
import { Low } from 'lowdb'
import { listed } from '../../text/listed.ts'
import type { StateKey } from '../store.ts'
import type { Disk } from './disk.ts'
import { reasonOf, Unreadable, unavailable } from './failure.ts'
import { quarantine } from './files.ts'
import { type Stored, stateForm } from './forms.ts'
import { jsonFile } from './json-file.ts'

/** Beside what others keep here, what the store remembers of itself. */
type Key = StateKey | 'history'

/** Small state: one lowdb file, replaced as a whole. It holds secrets, so its mode is 0600 and no error quotes it. */
export interface State {
  /** What was there when it was opened. */
  found: 'file' | 'nothing' | 'damage'
  read(key: Key): unknown
  /** One change after the other; undefined leaves what is there. */
  change(key: Key, change: (before: unknown) => unknown): Promise<void>
  /** Ends when nothing is under way. */
  idle(): Promise<void>
}

const anew =
  'the subscription and its secret are made anew, and deliveries signed with the old secret are refused until then'
const forgotten =
  'whether old events are missing is not known, and an event that is past retention may be sent again if the service repeats it; who unsubscribed from mail is not known, and gets it again'

export const stateIsMissing = `state.json is missing; ${anew}; ${forgotten}`

export async function openState(
  disk: Disk,
  folder: string,
  onTrouble: (sentence: string) => void,
): Promise<State> {
  const path = join(folder, 'state.json')
  const empty: Stored = { state: {}, lostKeys: [], mended: 0, lost: 0 }
  const file = new Low<Stored>(jsonFile(disk, path, stateForm), empty)
  let found: State['found'] = (await disk.stat(path)) === undefined ? 'nothing' : 'file'
  let last: Promise<unknown> = Promise.resolve()
  try {
    await file.read()
    if (file.data.mended + file.data.lost > 0) await tellDamage(file.data)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    found = 'damage'
    const suffix = await quarantine(disk, path, 'rename')
    onTrouble(
      `state.json could not be read (${reasonOf(error)}) and is kept as state.json${suffix}; ${anew}; ${forgotten}`,
    )
  }

  async function tellDamage({ lost, lostKeys }: Stored): Promise<void> {
    const suffix = await quarantine(disk, path, 'copy')
    const kept = `the file as it was is kept as state.json${suffix}`
    if (lost === 0) onTrouble(`state.json had a wrong bit and was mended; nothing is lost, and ${kept}`)
    else {
      found = 'damage'
      const what = lostKeys.length > 0 ? `what it says of ${listed(lostKeys, 'and')}` : 'a part of it'
      const means = [
        ...(lostKeys.length === 0 || lostKeys.includes('subscription') ? [anew] : []),
        ...(lostKeys.length === 0 || lostKeys.includes('history') ? [forgotten] : []),
      ]
      onTrouble([`state.json is damaged: ${what} is lost, and ${kept}`, ...means].join('; '))
    }
    await file.write()
  }

  async function replace(key: Key, change: (before: unknown) => unknown): Promise<void> {
    const before = file.data
    const value = change(structuredClone(before.state[key]))
    if (value === undefined) return
    const stored: unknown = JSON.parse(JSON.stringify(value))
    file.data = { ...before, state: { ...before.state, [key]: stored } }
    try {
      await file.write()
    } catch (error) {
      file.data = before
      throw unavailable('the state could not be stored', error)
    }
  }

  return {
    get found() {
      return found
    },
    read: (key) => structuredClone(file.data.state[key]),
    change(key, change) {
      const done = last.then(() => replace(key, change))
      last = done.catch(() => undefined)
      return done
    },
    async idle() {
      await last
    },
  }
}
