import { stripVTControlCharacters } from 'node:util'

/**
 * What an edit changed in a message as a channel drew it, paragraph by paragraph: "- " and what it said before, "+ " and
 * what it says now. Given all messages that tell of an event, oldest first; the first is compared with the last.
 */
export function difference(drawn: readonly string[], id: string): string[] {
  const about = drawn.map(paragraphs).filter((texts) => texts.some((text) => squeezed(text).includes(id)))
  const before = about[0] ?? []
  const after = about.at(-1) ?? []
  return [
    ...before.filter((text) => !after.includes(text)).map((text) => `- ${text}`),
    ...after.filter((text) => !before.includes(text)).map((text) => `+ ${text}`),
  ]
}

/** Without the heading, and without the frame. */
function paragraphs(drawn: string): string[] {
  const lines = stripVTControlCharacters(drawn)
    .split('\n')
    .slice(1)
    .map((line) => line.replace(/^[╭╰].*|^[│▌] ?| *│$/g, ''))
  return lines
    .join('\n')
    .split(/\n *\n/)
    .map((text) => text.replace(/\s+/g, ' ').trim())
}

/** A narrow terminal breaks ids. */
function squeezed(text: string): string {
  return text.replaceAll(' ', '')
}
