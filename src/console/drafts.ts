import { minuteMs } from '../platform/durations.ts'

/** What somebody typed into a form that was not accepted: secrets are not shown again, and need not be typed again. */
export interface Draft {
  read(): Record<string, string>
  keep(values: Record<string, string>): void
  drop(): void
}

const keptMs = 30 * minuteMs
const mostDrafts = 200

/** In the memory of this process: elsewhere, a secret is asked for once more. */
export function createDrafts(now: () => number) {
  const drafts = new Map<string, { values: Record<string, string>; until: number }>()
  /** `form`: whose it is, and which. */
  return (form: string): Draft => ({
    read() {
      const draft = drafts.get(form)
      return draft !== undefined && draft.until > now() ? draft.values : {}
    },
    keep(values) {
      drafts.delete(form)
      drafts.set(form, { values, until: now() + keptMs })
      for (const [name, { until }] of drafts) {
        if (until <= now() || drafts.size > mostDrafts) drafts.delete(name)
      }
    },
    drop: () => void drafts.delete(form),
  })
}
