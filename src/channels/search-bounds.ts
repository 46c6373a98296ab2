/**
 * From where on a channel's history is searched for what an earlier try left in it, by message. In the provider's
 * own terms (Slack's `ts`, Discord's snowflakes) and never by our clock, which may be minutes or days from the
 * provider's and may be set in between. After a restart nothing is known here, and as much is read as may be.
 */
export interface SearchBounds {
  /** What was posted last, as the provider calls it. */
  posted(place: string): void
  /** The first try of a message begins: what it leaves comes after all that is known to be there. */
  trying(mark: string): void
  /** All was read, up to `newest`, and the message was not there. */
  isAbsent(mark: string, newest: string | undefined): void
  /** It is certain now whether the message stands there. */
  isCertain(mark: string): void
  /** This process has tried it. */
  isTried(mark: string): boolean
  /** Behind this it stands, if it does; undefined where that is not known. */
  after(mark: string): string | undefined
}

export function createSearchBounds(): SearchBounds {
  let last: string | undefined
  const after = new Map<string, string | undefined>()
  return {
    posted(place) {
      last = place
    },
    trying(mark) {
      if (!after.has(mark)) after.set(mark, last)
    },
    isAbsent(mark, newest) {
      after.set(mark, newest ?? after.get(mark))
    },
    isCertain: (mark) => void after.delete(mark),
    isTried: (mark) => after.has(mark),
    after: (mark) => after.get(mark),
  }
}
