import { minuteMs } from '../platform/durations.ts'

/** What somebody typed into a form that was not accepted: secrets are not shown again, and need not be typed again. */
export interface Draft {
  read(): Record<string, string>
  /** With the secrets that were refused, for somebody who saves them all the same. */
  readAll(): Record<string, string>
  /** `refused`: the fields whose secrets did not work. */
  keep(values: Record<string, string>, refused?: readonly string[]): void
  drop(): void
}

const keptMs = 30 * minuteMs
const mostDrafts = 200

/** In the memory of this process: elsewhere, a secret is asked for once more. */
export function createDrafts(now: () => number) {
  const drafts = new Map<
    string,
    { values: Record<string, string>; refused: readonly string[]; until: number }
  >()
  const current = (form: string) => {
    const draft = drafts.get(form)
    return draft !== undefined && draft.until > now() ? draft : undefined
  }
  /** `form`: whose it is, and which. */
  return (form: string): Draft => ({
    read() {
      const { values = {}, refused = [] } = current(form) ?? {}
      return Object.fromEntries(Object.entries(values).filter(([name]) => !refused.includes(name)))
    },
    readAll: () => current(form)?.values ?? {},
    keep(values, refused = []) {
      drafts.delete(form)
      drafts.set(form, { values, refused, until: now() + keptMs })
      for (const [name, { until }] of drafts) {
        if (until <= now() || drafts.size > mostDrafts) drafts.delete(name)
      }
    },
    drop: () => void drafts.delete(form),
  })
}
