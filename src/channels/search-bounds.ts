export type SearchBounds = ReturnType<typeof createSearchBounds>

/**
 * Where a search for an earlier copy of a message begins in a channel's history. In the provider's
 * own terms (Slack's `ts`, Discord's snowflakes) and never by our clock, which may be minutes or days from the
 * provider's and may be set in between. After a restart nothing is known here, and as much is read as may be.
 */
export function createSearchBounds() {
  let last: string | undefined
  const after = new Map<string, string | undefined>()
  return {
    /** What was posted last, as the provider calls it. */
    posted(place: string) {
      last = place
    },
    /** The first try of a message begins: what it leaves comes after all that is known to be there. */
    trying(mark: string) {
      if (!after.has(mark)) after.set(mark, last)
    },
    /** All was read, up to `newest`, and the message was not there. */
    isAbsent(mark: string, newest: string | undefined) {
      after.set(mark, newest ?? after.get(mark))
    },
    /** It is certain now whether the message stands there. */
    isCertain: (mark: string) => void after.delete(mark),
    /** This process has tried it. */
    isTried: (mark: string) => after.has(mark),
    /** Behind this it stands, if it does; undefined if that is not known. */
    after: (mark: string) => after.get(mark),
  }
}
