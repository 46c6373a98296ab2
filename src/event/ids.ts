import { createHash } from 'node:crypto'

/**
 * Ids that Bluepencil makes. By their beginning: findings, notices, acts, digests, events without an id, summaries, tests, and
 * events from outside with such an id. By their end: other content with a known id, and messages that are sent again.
 */
const ours = /^(?:poll|ntc|act|dgs|body|sum|test|ext)_|~(?:\d+|[\da-f]{32})$|-again-[\da-z]+$/

export function isOurs(id: string): boolean {
  return ours.test(id)
}

/** What an id of ours that came from outside is kept under. A hash, so that no two of them end up as one. */
export function keptAs(id: string): string {
  return `ext_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`
}

/** The id of another content that came under an id: the second, the third …; or by its hash (content.ts) if there were too many. */
export function otherContentId(id: string, content: number | string): string {
  return `${id}~${content}`
}
