import { createHash } from 'node:crypto'

/**
 * Ids that Bluepencil makes: of findings, notices, acts, digests, events without an id, summaries, tests, and of what came under such an
 * id from outside; then of other contents of an id, and of messages that are sent again.
 */
const ours = /^(?:poll|ntc|act|dgs|body|sum|test|ext)_|~(?:\d+|[\da-f]{32})$|-again-[\da-z]+$/

export function isOurs(id: string): boolean {
  return ours.test(id)
}

/** What an id of ours that came from outside is kept under. A hash, so that no two of them end up as one. */
export function keptAs(id: string): string {
  return `ext_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`
}

/** The id of the second content that came under an id, of the third, and so on. */
export function otherContentId(id: string, number: number): string {
  return `${id}~${number}`
}

/** The id of a content that came under an id that says nothing any more: `content` is its hash (content.ts). */
export function contentId(id: string, content: string): string {
  return `${id}~${content}`
}
