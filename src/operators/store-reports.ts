import type { Logger } from 'pino'
import type { Incidents } from './incidents.ts'

const titles = {
  damage: 'Part of the store could not be read or kept',
  clock: 'The clock of this machine is in doubt',
}

/** What the store reports goes to the log at once. The operators are alerted as soon as they can be reached. */
export interface StoreReports {
  /** A file was damaged. */
  onTrouble(sentence: string): void
  /** Our clock is in doubt, so that no old event is dropped. */
  onDoubt(sentence: string): void
  /** The operators can be reached from now on. They are alerted to what was reported before: all damage in one notice. */
  alertBy(incidents: Incidents): void
}

export function createStoreReports(log: Logger, folder: string): StoreReports {
  const waiting: Record<keyof typeof titles, string[]> = { damage: [], clock: [] }
  let incidents: Incidents | undefined

  function report(about: keyof typeof titles, text: string): void {
    if (incidents === undefined) waiting[about].push(text)
    else incidents.happened(about, { title: titles[about], text })
  }

  return {
    onTrouble(sentence) {
      log.error({ store: folder }, sentence)
      report('damage', sentence)
    },
    onDoubt(sentence) {
      log.error(sentence)
      report('clock', sentence)
    },
    alertBy(reachable) {
      incidents = reachable
      if (waiting.damage.length > 0) report('damage', waiting.damage.join('; '))
      for (const sentence of waiting.clock) report('clock', sentence)
    },
  }
}
