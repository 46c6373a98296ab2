import type { Logger } from 'pino'
import type { Incidents } from './incidents.ts'

/** What the store reports goes to the log at once. The operators are alerted as soon as they can be reached. */
export interface StoreReports {
  /** A file was damaged; it was perhaps mended. */
  onTrouble(sentence: string): void
  /** Our clock is in doubt, so that no old event is dropped; null: it no longer is. */
  onDoubt(sentence: string | null): void
  /** The operators can be reached from now on. They are alerted to what was reported before: all damage in one notice. */
  alertBy(incidents: Incidents): void
}

const damaged = 'A fault was found in the store’s files'
const inDoubt = 'The clock of this machine is in doubt'
const believed = {
  title: 'The clock of this machine is no longer in doubt',
  text: 'Old events are deleted again when their retention has passed.',
}

export function createStoreReports(log: Logger, folder: string): StoreReports {
  const damage: string[] = []
  const clock: (string | null)[] = []
  let incidents: Incidents | undefined

  function report(text: string | null, reachable: Incidents): void {
    if (text === null) reachable.happened('clock-believed', believed)
    else reachable.happened('clock', { title: inDoubt, text })
  }

  return {
    onTrouble(sentence) {
      log.error({ store: folder }, sentence)
      if (incidents === undefined) damage.push(sentence)
      else incidents.happened('damage', { title: damaged, text: sentence })
    },
    onDoubt(sentence) {
      if (sentence === null) log.info(believed.title)
      else log.error(sentence)
      if (incidents === undefined) clock.push(sentence)
      else report(sentence, incidents)
    },
    alertBy(reachable) {
      incidents = reachable
      if (damage.length > 0) reachable.happened('damage', { title: damaged, text: damage.join('; ') })
      for (const sentence of clock) report(sentence, reachable)
    },
  }
}
