import type { AlertEvent } from '../../event/event.ts'
import type { Store } from '../../store/store.ts'

/** A delivery that was verified, and when; milliseconds since the epoch. */
export interface VerifiedDelivery {
  event: Pick<AlertEvent, 'id' | 'model' | 'delta' | 'detectedAt'>
  at: number
}

/** The deliveries that were verified lately, whether or not anything polled when they came. */
export interface DeliveryLog {
  add(event: VerifiedDelivery['event'], at: number): void
  /** Oldest first. */
  all(): readonly VerifiedDelivery[]
  /** Reads from the store what other processes accepted. */
  recall(): Promise<void>
}

/** As many as polling remembers. */
const mostKept = 100

/** Begins with those of the store: a process that was killed has written down nothing else of them. */
export async function recallDeliveries(
  store: Pick<Store, 'list'>,
  onError: (error: unknown) => void,
): Promise<DeliveryLog> {
  let kept: VerifiedDelivery[] = []

  function add({ id, model, delta, detectedAt }: VerifiedDelivery['event'], at: number): void {
    kept.push({ event: { id, model, delta, detectedAt }, at })
    if (kept.length > mostKept) kept.shift()
  }

  async function recall(): Promise<void> {
    const rows = await store.list({ kind: 'alert', limit: mostKept, withoutOutcomes: true })
    const known = new Set(kept.map(({ event }) => event.id))
    for (const { entry } of rows) {
      if (entry.kind === 'alert' && entry.source === 'webhook' && !known.has(entry.id)) {
        const { id, model, delta, detectedAt } = entry
        kept.push({ event: { id, model, delta, detectedAt }, at: Date.parse(entry.receivedAt) })
      }
    }
    kept = kept.toSorted((one, other) => one.at - other.at).slice(-mostKept)
  }

  await recall().catch(onError)
  return { add, all: () => [...kept], recall }
}
