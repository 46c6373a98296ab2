import { createHash } from 'node:crypto'
import type { Message } from '../message/message.ts'

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
