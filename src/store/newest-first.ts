import type { Store, StoredEntry } from './store.ts'

const page = 500

/** All that is stored, or all that is older than the `seq` `before`, in pages. No page is empty. */
export async function* newestFirst(
  store: Pick<Store, 'list'>,
  before?: number,
): AsyncGenerator<StoredEntry[]> {
  for (let from = before; ; ) {
    const rows = await store.list({ limit: page, ...(from === undefined ? {} : { before: from }) })
    if (rows.length > 0) yield rows
    if (rows.length < page) return
    from = rows.at(-1)?.seq
  }
}
