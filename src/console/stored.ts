import type { Control } from '../control/control.ts'
import type { AlertEvent } from '../event/event.ts'
import type { StoredEntry } from '../store/store.ts'

export type StoredAlert = StoredEntry & { entry: AlertEvent }

/** Where every so many'th entry or more is wanted, those between are read with them: one reading instead of many. */
const dense = 4

/** The alerts of a page of the list as they are stored, in its order. What retention has dropped since is not among them. */
export async function storedOf(
  rows: readonly { seq: number; id: string }[],
  control: Pick<Control, 'event' | 'events'>,
): Promise<StoredAlert[]> {
  const [first, last] = [rows[0], rows.at(-1)]
  if (first === undefined || last === undefined) return []
  const span = first.seq - last.seq + 1
  if (span > rows.length * dense) {
    const found = await Promise.all(rows.map(({ id }) => control.event(id)))
    return found.filter((one) => one !== undefined).filter(isAlert)
  }
  const wanted = new Set(rows.map(({ seq }) => seq))
  const found = await control.events({ limit: span, before: first.seq + 1 })
  return found.filter(({ seq }) => wanted.has(seq)).filter(isAlert)
}

function isAlert(stored: StoredEntry): stored is StoredAlert {
  return stored.entry.kind === 'alert'
}
