/** What is known of readers beside the configuration: who wants no more mail, and whom a server refuses. */
export interface MailReaders {
  /** Of these addresses, those that get no mail of the channel now, and why. Rejects where that cannot be read. */
  resting(
    place: { channel: string; server: string },
    addresses: readonly string[],
  ): Promise<ReadonlyMap<string, RestingReason>>
  /** The server says that there is no such mailbox, or that it takes nothing. Never rejects. */
  refused(refusal: { address: string; server: string; said: string }): Promise<void>
  /** The server takes mail for it again. Never rejects. */
  accepted(address: string): Promise<void>
  /** What stands at the end of the link that ends this channel's mail; undefined where none can be made. Never rejects. */
  token(channel: string, address: string): Promise<string | undefined>
}

/** Times are ISO 8601, UTC. */
export type RestingReason =
  | { why: 'unsubscribed'; since: string }
  /** Not tried again until then. */
  | { why: 'refused'; since: string; until: string; said: string }

/** For who asks past the store: nobody rests, and nothing is remembered. */
export const unknownReaders: MailReaders = {
  resting: async () => new Map(),
  refused: async () => {},
  accepted: async () => {},
  token: async () => undefined,
}
