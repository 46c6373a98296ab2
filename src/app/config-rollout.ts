import * as z from 'zod'
import { after, type Clock } from '../platform/clock.ts'
import type { Store } from '../store/store.ts'
import { type Leadership, startDuty } from './leadership.ts'

/**
 * Configurations by their marks, the newest last. Several are in force while one process after the other is given another: which
 * of them may write off what belongs to channels that it does not have.
 */
export interface ConfigRollout {
  /**
   * Whether this process, which runs this configuration from now on, may do so: no process runs another, and where this is not
   * the newest, none has for a quarter of an hour. To be asked again in a minute where not. Rejects with what the store rejects with.
   */
  mayWriteOff(mark: string): Promise<boolean>
  stop(): Promise<void>
}

interface ConfigRolloutParts {
  store: Pick<Store, 'hold' | 'changeState'>
  clock: Clock
  onError(error: unknown): void
}

const Marks = z.array(z.string()).catch([])
/** Of so many it is known which is newer. */
const mostKnown = 20
/** While one process lets go and the next takes over, nobody seems to be there. */
const handoverMs = 500
/** How often, one minute after the other, nobody may run another: of the newest, since others may just change hands. */
const timesOfNewest = 2
/** Of an earlier one: its newer sister may only be away for a restart. After that, somebody went back to it. */
const timesOfEarlier = 15

export function createGenerations({ store, clock, onError }: ConfigRolloutParts): ConfigRollout {
  let own: { mark: string; duty: Leadership } | undefined
  let timesAlone = 0
  let wereOthers = false

  /** Whoever runs a configuration shows it by a hold, which ends with the last process that does. */
  async function run(mark: string): Promise<void> {
    if (own?.mark === mark) return
    await own?.duty.stop()
    const begin = async () => async () => undefined
    own = { mark, duty: startDuty({ role: roleOf(mark), store, clock, begin, onError }) }
    forget()
  }

  /** Whoever asks the next time is told by what is found then. */
  function forget(): void {
    timesAlone = 0
    wereOthers = false
  }

  /** Answers all marks, the newest last. */
  async function remember(mark: string, how: 'where new' | 'as newest'): Promise<string[]> {
    let marks: string[] = []
    await store.changeState('configurations', (before) => {
      marks = Marks.parse(before)
      if (marks.at(-1) === mark || (how === 'where new' && marks.includes(mark))) return undefined
      marks = [...marks.filter((one) => one !== mark), mark].slice(-mostKnown)
      return marks
    })
    return marks
  }

  async function isRun(mark: string): Promise<boolean> {
    const waiting = new AbortController()
    const end = after(clock, handoverMs, () => waiting.abort())
    const hold = await store.hold(roleOf(mark), waiting.signal)
    end()
    wereOthers ||= hold?.takenOver === true
    hold?.release()
    return hold === undefined
  }

  return {
    async mayWriteOff(mark) {
      await run(mark)
      const marks = await remember(mark, 'where new')
      for (const other of marks) {
        if (other === mark || !(await isRun(other))) continue
        timesAlone = 0
        wereOthers = true
        return false
      }
      timesAlone += 1
      const times = marks.at(-1) === mark ? timesOfNewest : timesOfEarlier
      if (wereOthers && timesAlone < times) return false
      await remember(mark, 'as newest')
      forget()
      return true
    },
    async stop() {
      await own?.duty.stop()
    },
  }
}

function roleOf(mark: string): string {
  return `configuration ${mark}`
}
