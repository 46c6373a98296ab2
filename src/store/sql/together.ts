/**
 * Runs one query at a time. Calls that come meanwhile share the next one, so an answer is never older than its call. `ask` gets
 * each key once, and answers them by key.
 */
export function together<Key, Answer>(
  ask: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Answer>>,
): (key: Key) => Promise<Answer | undefined> {
  let next: { keys: Set<Key>; answers: Promise<ReadonlyMap<Key, Answer>> } | undefined
  let last: Promise<unknown> = Promise.resolve()

  return async (key) => {
    if (next === undefined) {
      const keys = new Set<Key>()
      const answers = last.then(() => {
        next = undefined
        return ask([...keys])
      })
      next = { keys, answers }
      last = answers.catch(() => undefined)
    }
    next.keys.add(key)
    return (await next.answers).get(key)
  }
}
