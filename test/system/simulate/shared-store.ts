import type { Store } from '../../../src/store/store.ts'
import type { MemoryStore } from '../../support/memory-store.ts'
import type { Chance } from '../detector/chance.ts'
import { type Actor, actors, type Timeline } from './timeline.ts'

type Handle = MemoryStore

/** A store that takes its time, before it does what it is asked and before it answers: a process may be killed in both. */
export function distantStore(
  handle: Handle,
  actor: Actor,
  { timeline, random, onStep }: { timeline: Timeline; random: Chance; onStep(): void },
): Store {
  function pause(): Promise<void> {
    return new Promise((resolve) => void timeline.after(random() * 4, resolve))
  }

  function far<Args extends unknown[], T>(
    work: (...args: Args) => Promise<T>,
  ): (...args: Args) => Promise<T> {
    return async (...args) => {
      await pause()
      onStep()
      const answer = await work(...args)
      await pause()
      return answer
    }
  }

  return {
    accept: far(handle.accept),
    leaseDue: far(handle.leaseDue),
    nextDue: far(handle.nextDue),
    pending: far(handle.pending),
    held: far(handle.held),
    settle: far(handle.settle),
    alter: far(handle.alter),
    find: far(handle.find),
    later: far(handle.later),
    actsAbout: far(handle.actsAbout),
    changed: far(handle.changed),
    list: far(handle.list),
    countAlerts: far(handle.countAlerts),
    chain: {
      newest: far(handle.chain.newest),
      from: far(handle.chain.from),
      holding: far(handle.chain.holding),
      add: far(handle.chain.add),
    },
    figures: {
      add: far(handle.figures.add),
      read: far(handle.figures.read),
      series: far(handle.figures.series),
      revised: far(handle.figures.revised),
      spans: far(handle.figures.spans),
      all: far(handle.figures.all),
      dropBefore: far(handle.figures.dropBefore),
    },
    backlog: far(handle.backlog),
    retain: far(handle.retain),
    horizon: far(handle.horizon),
    readState: far(handle.readState),
    changeState: far(handle.changeState),
    acquireLease: far(handle.acquireLease),
    probe: far(handle.probe),
    close: far(handle.close),
    changes: (onChange) => handle.changes((change) => actors.run(actor, () => onChange(change))),
  }
}
