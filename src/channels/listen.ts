import type { AnswerChat } from './interaction.ts'
import type { Replays } from './replays.ts'

export interface ListenParts {
  answer: AnswerChat
  /** What could not be said to a person, or read: for the log. It holds no secret. */
  onError(error: unknown): void
}

export interface ReceiveParts extends ListenParts {
  replays: Replays
}

export interface ConnectParts extends ListenParts {
  /** The provider can be heard, from now on. */
  onHeard(): void
  /** It cannot be heard: one sentence for people, with what to do. */
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
  /** JSON; nothing where it is absent. */
  body?: unknown
}

/** Answers what a provider posts to us. Never rejects. */
export type Receive = (request: SignedRequest) => Promise<SignedAnswer>
