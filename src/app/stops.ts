import { type Clock, within } from '../platform/clock.ts'

type EndStep = () => Promise<unknown>

/** What is ended when the service is stopped, in the order that its parts need. */
export interface ShutdownOrder {
  /** It works side by side with the others, and takes its time beside theirs. */
  first(end: EndStep): void
  /** The others stand on it: it is ended when they have, or when their time is over. */
  last(end: EndStep): void
  /** True from the moment at which the stop begins. */
  isStopping(): boolean
  /** Never rejects; a second call waits for the first. */
  stop(): Promise<void>
}

interface ShutdownParts {
  clock: Clock
  /** What the first and the others get, in milliseconds. What hangs longer is left behind. */
  firstMs: number
  lastMs: number
  /** Ended last of all, however long it takes. */
  store: { close(): Promise<void> }
  onError(error: unknown): void
}

export function createStops({ clock, firstMs, lastMs, store, onError }: ShutdownParts): ShutdownOrder {
  const first: EndStep[] = []
  const last: EndStep[] = []
  let stopped: Promise<void> | undefined

  async function endWithin(ends: readonly EndStep[], milliseconds: number): Promise<void> {
    await within(clock, milliseconds, Promise.all(ends.map((end) => end().catch(onError))))
  }

  async function endAll(): Promise<void> {
    await endWithin(first, firstMs)
    await endWithin(last, lastMs)
    await store.close().catch(onError)
  }

  return {
    first: (end) => void first.push(end),
    last: (end) => void last.push(end),
    isStopping: () => stopped !== undefined,
    stop() {
      stopped ??= endAll()
      return stopped
    },
  }
}
