import type { AlertEvent } from '../event/event.ts'
import type { Store } from '../store/store.ts'

/** A delivery that was verified, and when; milliseconds since the epoch. */
export interface Delivered {
  event: Pick<AlertEvent, 'id' | 'model' | 'delta' | 'detectedAt'>
  at: number
}

/** The deliveries that were verified lately, whether or not anything polled when they came. */
export interface Heard {
  add(event: Delivered['event'], at: number): void
  /** Oldest first. */
  all(): readonly Delivered[]
}

/** As many as polling remembers. */
const mostKept = 100

/** Begins with those of the store: a process that was killed has written down nothing else of them. */
export async function recallDeliveries(
  store: Pick<Store, 'list'>,
  onError: (error: unknown) => void,
): Promise<Heard> {
  const kept: Delivered[] = []

  function add({ id, model, delta, detectedAt }: Delivered['event'], at: number): void {
    kept.push({ event: { id, model, delta, detectedAt }, at })
    if (kept.length > mostKept) kept.shift()
  }

  try {
    for (const { entry } of (await store.list({ limit: mostKept })).toReversed()) {
      if (entry.kind === 'alert' && entry.source === 'webhook') add(entry, Date.parse(entry.receivedAt))
    }
  } catch (error) {
    onError(error)
  }
  return { add, all: () => [...kept] }
}
