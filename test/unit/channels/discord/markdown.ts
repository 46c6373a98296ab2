/**
 * The markup that Discord's client would render in a text. Reads it as the client does: from left to right,
 * escapes first. See https://docs.discord.com/developers/reference#message-formatting and the help page
 * "Markdown Text 101". Broader than the client where the two are not sure to agree.
 */
export function liveMarkup(text: string): string[] {
  const markup: string[] = []
  let at = 0
  while (at < text.length) {
    const rest = text.slice(at)
    const skipped = /^\\[^0-9A-Za-z\s]/u.exec(rest)?.[0]
    if (skipped !== undefined) {
      at += skipped.length
      continue
    }
    const lineStart = at === 0 || /\n\s*$/.test(text.slice(0, at))
    const live = (lineStart ? atLineStart.exec(rest) : null) ?? anywhere.exec(rest)
    if (live !== null) markup.push(live[0])
    at +=
      live?.[0].length ??
      (/^\w+/.exec(rest)?.[0].length || String.fromCodePoint(rest.codePointAt(0) ?? 0).length)
  }
  return markup
}

const atLineStart = /^(?:#{1,3} |-# |>>> |> |[-+*] |\d+\. )/

const anywhere = new RegExp(
  [
    String.raw`\[(?:\\[\s\S]|[^\]\\])*\]\([^)\s]*\)`,
    String.raw`\w+:\/\/[^\s<]+`,
    String.raw`(?:\w+\.)*discord(?:app)?\.(?:gg|com)\/\w+`,
    '@(?:everyone|here)',
    String.raw`:[\w+-]+:`,
    '<[^>]*>?',
    '```',
    '[*_`]',
    '~~',
    String.raw`\|\|`,
    String.raw`\[`,
  ]
    .map((part) => `^(?:${part})`)
    .join('|'),
)

/** The text as a reader sees it where only escapes are in it. */
export function unescaped(text: string): string {
  return text.replace(/\\([^0-9A-Za-z\s])/gu, '$1')
}

/** Which characters of the shown text had a backslash before them. */
export function escapedPlaces(text: string): Set<number> {
  const places = new Set<number>()
  let shown = 0
  for (const [token] of text.matchAll(/\\[^0-9A-Za-z\s]|[\s\S]/g)) {
    if (token.length > 1) places.add(shown)
    shown += 1
  }
  return places
}
