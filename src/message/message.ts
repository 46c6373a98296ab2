import type { MessageSubject } from './about.ts'
import type { Language } from './words/language.ts'

/**
 * What a reader is told, before any provider's form. All strings are plain text without control or
 * bidirectional characters; each format escapes them for its provider and cuts what is too long.
 */
export interface Message {
  /** The same on every try, so that a provider can drop a repeat; another one where it is sent again on request. */
  id: string
  /** Groups what belongs together: `claude/political`. Mail readers show one thread for it. */
  thread: string
  /** Of its words, and of those that a format adds; English where there is none. */
  language?: Language
  tone: 'rise' | 'fall' | 'neutral' | 'trouble' | 'over'
  /** "Censorship spike", "Policy change", "Operator notice". */
  kicker: string
  /** One sentence: "Claude refused 30% of political prompts, up from 18%." */
  headline: string
  /** Paragraphs, may be empty. */
  text: string[]
  facts: Fact[]
  links: Link[]
  /** Its page in the console, one of `links`. A message that was sent is not edited for the sake of it alone. */
  page?: string
  /** What the reader should know before printing: "Not as documented: …". */
  caveats: string[]
  /** Whom it rings, as the channel’s configuration names them. An edit or a repeat rings nobody. */
  mentions?: string[]
  /** The figures that it was made of. Absent where there are none: what a channel missed, and the like. */
  about?: MessageSubject
  /** Other events that it tells of, by their ids: of the same change, or what corrects or withdraws it. */
  alsoTells?: string[]
  /** Where somebody listens: what people may do at it. The links then stand beside these. */
  actions?: Actions
  /** Who reported it and under which id, in one line. */
  source: string
  /** When it happened; milliseconds since the epoch. E-mail's Date is the time of sending, not this. */
  happenedAt: number
}

export interface Actions {
  /** The alert that it is about, by its id. */
  about: string
}

export interface Fact {
  label: string
  value: string
}

export interface Link {
  label: string
  /** http or https, parsed and serialised by `URL`. */
  url: string
}
