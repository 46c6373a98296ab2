import type { Link } from '../message/message.ts'
import type { Language } from '../message/words/phrases.ts'
import type { Clock } from '../platform/clock.ts'
import type { Replays } from './replays.ts'

/** Who asks, as the provider knows them. */
export interface Asker {
  id: string
  /** As they are shown. */
  name: string
  via: 'slack' | 'discord'
}

/** What a person asks for, or does, in a chat. */
export type ChatRequest = {
  by: Asker
  /** The provider's own id of it: the same if it is sent again. */
  key: string
  /** Where: the names that the provider has for the place, such as an id and `#ai-desk`; those around a thread, too. */
  place: string[]
  /** The language that they use the provider in (BCP 47), if it says so. */
  locale?: string
} & (
  | { does: 'acknowledge'; about: string }
  /** Wants the form of a silence for an alert. */
  | { does: 'ask-silence'; about: string }
  /** The form, filled in. `until` is one of those that the form offers. */
  | { does: 'silence'; about: string; until: string; why: string }
  | { does: 'history'; about: string }
  /** What was written behind `/bluepencil`. */
  | { does: 'command'; words: string }
)

/** A form for a silence: of what, until when, and why. */
export interface SilenceForm {
  about: string
  /** "Claude on political prompts". */
  scope: string
  /** The first is chosen beforehand. */
  ends: { value: string; label: string }[]
}

/**
 * What is answered: plain text, for who asked alone. Each provider escapes it and cuts what is too long.
 */
export interface ChatReply {
  text: string
  /** Of its words, and of those that a provider’s form adds; English if there is none. */
  language?: Language
  list?: string[]
  /** Columns and charts that need letters of one width. */
  figures?: string
  form?: SilenceForm
}

interface ChatAnswer {
  reply: ChatReply
  /** The reply says that it takes longer, and this follows. Never rejects. */
  later?: Promise<ChatReply>
  /** The provider sent it again: the person has the answer, or gets it from the first request. */
  isRepeat: boolean
}

/** Answers within about two seconds, even if something is slow. Never rejects. */
export type AnswerChat = (request: ChatRequest) => Promise<ChatAnswer>

/** The longest reason of a silence, in characters. */
export const longestWhy = 200

export interface ListenParts {
  answer: AnswerChat
  /** What could not be said to a person, or read: for the log. It holds no secret. */
  onError(error: unknown): void
}

export interface ReceiveParts extends ListenParts {
  replays: Replays
}

export interface ConnectParts extends ListenParts {
  clock: Clock
  /** What people do reaches us, from now on. */
  onHeard(): void
  /** It does not: one sentence for people, with what to do. */
  onUnheard(why: string): void
}

/** A connection of ours to a provider, through which it says what people do; kept up until it is closed. */
export interface ProviderConnection {
  close(): Promise<void>
}

export interface SignedRequest {
  body: Buffer
  /** By its name in lower case. */
  header(name: string): string | undefined
  /** When it came; milliseconds since the epoch. */
  at: number
}

export interface SignedAnswer {
  status: number
  /** JSON; nothing if it is absent. */
  body?: unknown
}

/** Answers what a provider posts to us. Never rejects. */
export type Receive = (request: SignedRequest) => Promise<SignedAnswer>

/**
 * Whether the address has a full host name, such as desk.example. Slack leaves out a button whose address has none
 * (github.com/prometheus/alertmanager/issues/2344), and for a button that Discord rejects it rejects the whole message.
 * Such a link stands in the text instead.
 */
export function hasFullName({ url }: Link): boolean {
  return /\.[a-z][a-z\d-]*$/i.test(URL.parse(url)?.hostname ?? '')
}
