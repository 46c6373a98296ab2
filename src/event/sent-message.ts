interface MessageWords {
  tone: string
  kicker: string
  headline: string
  source: string
}

interface MoreWords {
  /** Absent where it is English. */
  language?: string
  text?: string[]
  facts?: { label: string; value: string }[]
  links?: { label: string; url: string }[]
  caveats?: string[]
}

/** What readers were sent, before any provider's form: plain text. Lists that are empty are left out. */
export interface SentMessage extends MessageWords, MoreWords {
  /** Whom it rang, as the channel's configuration names them. */
  mentions?: string[]
  /** What its picture shows, in words. The picture itself is not kept. */
  picture?: string
  /** Nobody knows which try arrived: an earlier one may have read otherwise. */
  unsure?: true
}

/** What of a message reads otherwise since an edit, beside how it was first sent. An empty list: no such part any more. */
export interface SentEdit extends Partial<MessageWords>, MoreWords {
  /** ISO 8601, UTC. */
  at: string
}
