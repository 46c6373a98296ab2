/** What parts refer to that are made before it. */
export interface Late<T> {
  /** Undefined until it is made. */
  now(): T | undefined
  /** Resolves when it is made, and rejects where it never will be. */
  readonly made: Promise<T>
  is(value: T): void
  never(why: Error): void
}

export function late<T>(): Late<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  // Where nobody waits for it, nobody minds that it is never made.
  promise.catch(() => undefined)
  let current: T | undefined
  return {
    now: () => current,
    made: promise,
    is(value) {
      current = value
      resolve(value)
    },
    never: reject,
  }
}
