/** What the events of a sealed segment say: 64 bits of id and content each, 8 MB for a million, and no object of their own. */
export type Contents = Uint32Array

export function contentsOf(events: readonly { id: string; content: string | undefined }[]): Contents {
  const contents = new Uint32Array(2 * events.length)
  for (const [index, { id, content }] of events.entries()) {
    if (content !== undefined) contents.set(mark(id, content), 2 * index)
  }
  return contents
}

/** Whether one of the events has this id and says this. Looks at all of them: about a microsecond, for a repeat alone. */
export function hasContent(contents: Contents, id: string, content: string): boolean {
  const [high, low] = mark(id, content)
  for (let at = 0; at < contents.length; at += 2) {
    if (contents[at] === high && contents[at + 1] === low) return true
  }
  return false
}

/** Base64, little-endian. */
export function contentsText(contents: Contents): string {
  const bytes = Buffer.alloc(4 * contents.length)
  for (const [index, half] of contents.entries()) bytes.writeUInt32LE(half, 4 * index)
  return bytes.toString('base64')
}

export function contentsFrom(text: string): Contents {
  const bytes = Buffer.from(text, 'base64')
  return Uint32Array.from({ length: bytes.length >> 2 }, (_, index) => bytes.readUInt32LE(4 * index))
}

/** `content`: 32 hex digits, of which 16 count. The id is mixed in by FNV-1a, since a body need not name its id. */
function mark(id: string, content: string): [high: number, low: number] {
  let mixed = 0x811c9dc5
  for (let at = 0; at < id.length; at++) mixed = Math.imul(mixed ^ id.charCodeAt(at), 0x01000193)
  const high = Number.parseInt(content.slice(0, 8), 16)
  return [(high ^ mixed) >>> 0, Number.parseInt(content.slice(8, 16), 16) >>> 0]
}
