import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { withoutMentions } from '../channels/mentions.ts'
import type { Sent, SentEdit, SentMessage } from '../event/outcome.ts'
import type { Message } from '../message/message.ts'
import { wordsOf } from '../message/words/words.ts'

/** Somebody who edits a thousand times must not make the store grow with each. */
const mostEdits = 10

/** What is kept of a message that was sent: what readers see. What it was made of is in its event. */
export function messageAsSent(
  message: Message,
  circumstances: Pick<SentMessage, 'picture' | 'unsure'> = {},
): SentMessage {
  const { language, tone, kicker, headline, text, facts, links, caveats, mentions = [], source } = message
  return {
    ...(language !== undefined && language !== 'en' && { language }),
    tone,
    kicker,
    headline,
    ...(text.length > 0 && { text }),
    ...(facts.length > 0 && { facts }),
    ...(links.length > 0 && { links }),
    ...(caveats.length > 0 && { caveats }),
    source,
    ...(mentions.length > 0 && { mentions }),
    ...circumstances,
  }
}

/** With what reads otherwise since the edit, `at` (ISO 8601, UTC); the newest ten of them. */
export function withEdit({ message, edits = [] }: Sent, wanted: Message, at: string): Pick<Sent, 'edits'> {
  return { edits: [...edits, { at, ...changes(message, wanted) }].slice(-mostEdits) }
}

/** All of it, if what was sent first is not known. */
function changes(first: SentMessage | undefined, wanted: Message): Partial<SentEdit> {
  const { language = 'en', tone, kicker, headline, text, facts, links, caveats, source } = wanted
  const now = { language, tone, kicker, headline, text, facts, links, caveats, source }
  if (first === undefined) return now
  const before = { language: 'en', text: [], facts: [], links: [], caveats: [], ...first }
  return Object.fromEntries(
    Object.entries(now).filter(([part, words]) => !isDeepStrictEqual(words, Object(before)[part])),
  )
}

/**
 * What readers see of a message, as 32 hex digits of a SHA-256. Its thread and the ids of its relations are not seen. The
 * link to its page does not count: another `console.publicUrl` would edit every message of the last days.
 */
export function shownHash(message: Message): string {
  const { tone, kicker, headline, text, page, caveats, source, happenedAt } = message
  const facts = message.facts.map(({ label, value }) => [label, value])
  const links = message.links.flatMap(({ label, url }) => (url === page ? [] : [[label, url]]))
  const seen = [tone, kicker, headline, text, facts, links, caveats, source, happenedAt]
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex').slice(0, 32)
}

/**
 * The same message, with the same id, marked as one that may be there already. That stands first among the caveats, in every
 * provider's form.
 */
export function asRepeat(message: Message): Message {
  const caveat = wordsOf(message.language).say('possibleDuplicate')
  return { ...withoutMentions(message), caveats: [caveat, ...message.caveats] }
}
