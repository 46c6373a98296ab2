/** A message of ours that stands in the channel. */
export interface Posted {
  /** What it says of the event that it is about. */
  mark: string
  receipt: string
}

export interface Page {
  posted: Posted[]
  /** Where reading goes on behind this page; the provider's own. */
  next: string
}

/** Reads what stands in the channel since `from` (milliseconds since the epoch), and ends when that was all. */
type ReadPages = (from: number, next: string | undefined) => AsyncIterable<Page>

export interface Earlier {
  /**
   * The receipt of what an earlier try left in the channel, or undefined where it left nothing. Rejects where reading
   * does; the next call reads on from there.
   */
  find(
    event: { id: string; since: number; isIt: (mark: string) => boolean },
    read: ReadPages,
  ): Promise<string | undefined>
  /** The event's message is about to be sent: what was read before says nothing of it any more. */
  trying(id: string): void
  /** It is certain now whether the message stands there. */
  isCertain(id: string): void
}

/** The provider's clock and ours may differ by this much, in milliseconds. */
const clockDifference = 60_000

/** Reading begins this much earlier than it must, so that events which came in close to each other share it. */
const spare = 60_000

/**
 * Remembers what a channel's history showed. After a crash all that is owed may have been sent, a thousand messages
 * perhaps, and providers let a history be read some fifty times a minute: it is read once for all of them.
 */
export function rememberEarlier(): Earlier {
  let look: { from: number; posted: Posted[]; next: string | undefined; isWhole: boolean } | undefined
  const triedSince = new Set<string>()

  return {
    async find({ id, since, isIt }, read) {
      const latest = since - clockDifference
      if (look === undefined || latest < look.from || triedSince.has(id)) {
        look = { from: latest - spare, posted: [], next: undefined, isWhole: false }
        triedSince.clear()
      }
      const { posted, from } = look
      const known = posted.find(({ mark }) => isIt(mark))
      if (known !== undefined || look.isWhole) return known?.receipt
      for await (const page of read(from, look.next)) {
        look.next = page.next
        posted.push(...page.posted)
        const found = page.posted.find(({ mark }) => isIt(mark))
        if (found !== undefined) return found.receipt
      }
      look.isWhole = true
      return undefined
    },
    trying: (id) => void triedSince.add(id),
    isCertain: (id) => void triedSince.delete(id),
  }
}
