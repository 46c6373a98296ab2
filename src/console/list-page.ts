import type { AlertEvent } from '../event/event.ts'
import type { Control } from '../people/control/control.ts'
import type { ListQuery, StoredEntry } from '../store/store.ts'

export type StoredAlert = StoredEntry & { entry: AlertEvent }

/** A page of a list, newest first. */
export interface ListPage<Row = StoredEntry> {
  rows: Row[]
  /** The `seq` before which the next page begins; undefined at the end. */
  before: number | undefined
}

export async function readPage(
  { events }: Pick<Control, 'events'>,
  { limit, ...query }: ListQuery,
): Promise<ListPage> {
  const found = await events({ ...query, limit: limit + 1 })
  const rows = found.slice(0, limit)
  return { rows, before: found.length > limit ? rows.at(-1)?.seq : undefined }
}

export async function readAlerts(
  control: Pick<Control, 'events'>,
  query: Omit<ListQuery, 'kind'>,
): Promise<ListPage<StoredAlert>> {
  const { rows, before } = await readPage(control, { ...query, kind: 'alert' })
  return { rows: rows.filter(isAlert), before }
}

function isAlert(stored: StoredEntry): stored is StoredAlert {
  return stored.entry.kind === 'alert'
}
