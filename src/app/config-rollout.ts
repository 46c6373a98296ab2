import * as z from 'zod'
import { after, type Clock } from '../platform/clock.ts'
import type { Store } from '../store/store.ts'
import { aborted, runAsLeader } from './leader.ts'

interface ConfigRolloutParts {
  store: Pick<Store, 'acquireLease' | 'changeState'>
  clock: Clock
  onError(error: unknown): void
}

/** The newest last. */
const Hashes = z.array(z.string()).catch([])
const mostRemembered = 20
/** A configuration counts as run by nobody if its lease is free. During a handover it is free for a moment, so this waits. */
const handoverMs = 500
/** How many minutes in a row no other configuration may run before the newest settles: others may just be restarting. */
const minutesOfNewest = 2
/** The same for an older one. After that, somebody has gone back to it, and it counts as the newest. */
const minutesOfEarlier = 15

/**
 * During a rollout several configurations run at once, known by their hashes. Only when the newest runs alone may it settle what is
 * pending for channels that it does not have.
 */
export function createConfigRollout({ store, clock, onError }: ConfigRolloutParts) {
  let running: { hash: string; stop(): Promise<void> } | undefined
  let minutesAlone = 0
  let wereOthers = false

  /** Each process shows its configuration by a lease, which ends with the last process that has it. */
  async function run(hash: string): Promise<void> {
    if (running?.hash === hash) return
    await running?.stop()
    running = { hash, stop: runAsLeader(roleOf(hash), { store, clock, lead: aborted, onError }) }
    startOver()
  }

  function startOver(): void {
    minutesAlone = 0
    wereOthers = false
  }

  /** Returns all hashes. */
  async function remember(hash: string, how: 'if new' | 'as newest'): Promise<string[]> {
    let hashes: string[] = []
    await store.changeState('configurations', (before) => {
      hashes = Hashes.parse(before)
      if (hashes.at(-1) === hash || (how === 'if new' && hashes.includes(hash))) return undefined
      hashes = [...hashes.filter((other) => other !== hash), hash].slice(-mostRemembered)
      return hashes
    })
    return hashes
  }

  async function isRun(hash: string): Promise<boolean> {
    const waiting = new AbortController()
    const cancel = after(clock, handoverMs, () => waiting.abort())
    const lease = await store.acquireLease(roleOf(hash), waiting.signal)
    cancel()
    wereOthers ||= lease?.takenOver === true
    lease?.release()
    return lease === undefined
  }

  return {
    /**
     * Whether this process may settle what its configuration, the one with this hash, has removed. It may if no process runs another
     * one. If this is not the newest, none may have run another for a quarter of an hour. If it may not, ask again in a minute.
     * Rejects as the store does.
     */
    async maySettleRemoved(hash: string): Promise<boolean> {
      await run(hash)
      const hashes = await remember(hash, 'if new')
      for (const other of hashes) {
        if (other === hash || !(await isRun(other))) continue
        minutesAlone = 0
        wereOthers = true
        return false
      }
      minutesAlone += 1
      const enough = hashes.at(-1) === hash ? minutesOfNewest : minutesOfEarlier
      if (wereOthers && minutesAlone < enough) return false
      await remember(hash, 'as newest')
      startOver()
      return true
    },
    async stop(): Promise<void> {
      await running?.stop()
    },
  }
}

function roleOf(hash: string): string {
  return `configuration ${hash}`
}
