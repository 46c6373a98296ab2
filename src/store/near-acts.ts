import type { Act } from '../event/act.ts'

/** What people did lately, by what it is about. */
export interface NearActs {
  /** Answers what undoes it. */
  add(act: Act): () => void
  remove(id: string): void
  /** What was done about an alert, oldest first; of a silence that was asked for there, also its end. */
  about(id: string): { acts?: readonly Act[] }
  /** Ids of the alerts that were acted on; by the act `by`, where that is given. */
  changed(by: string | undefined): string[]
}

/** The newest; the oldest are forgotten first. */
const most = 2_000

export function createNearActs(): NearActs {
  const acts = new Map<string, Act>()

  /** The end of a silence is about the alert that the silence was about. */
  function subjectOf({ does, about }: Act): string | null {
    return does === 'end-silence' ? (acts.get(about)?.about ?? null) : about
  }

  function remove(id: string): void {
    acts.delete(id)
  }

  return {
    add(act) {
      acts.set(act.id, act)
      for (const old of [...acts.keys()].slice(0, -most)) remove(old)
      return () => remove(act.id)
    },
    remove,
    about(id) {
      const found = acts.size === 0 ? [] : [...acts.values()].filter((act) => subjectOf(act) === id)
      return found.length === 0 ? {} : { acts: found }
    },
    changed(by) {
      const one = by === undefined ? undefined : acts.get(by)
      const those = by === undefined ? [...acts.values()] : one === undefined ? [] : [one]
      return those.flatMap((act) => subjectOf(act) ?? [])
    },
  }
}
