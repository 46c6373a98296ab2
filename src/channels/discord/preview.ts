import { styleText } from 'node:util'
import type { DiscordField, DiscordPayload } from './format.ts'

export interface PreviewStyle {
  /** Columns of the terminal. */
  width: number
  colour: boolean
}

type Format = Parameters<typeof styleText>[0]

/** One word, or a line's end, and how it looks. */
interface Word {
  text: string
  format?: Format
}

/**
 * How the message reads in Discord, for a terminal. Drawn from what is really sent: the backslashes that are gone
 * here are those that Discord takes away, so text that could do harm there shows as harm here.
 */
export function previewDiscord(payload: DiscordPayload, style: PreviewStyle): string {
  const [embed] = payload.embeds
  const inner = Math.max(style.width - 2, 20)
  const footer = [embed.footer.text, embed.timestamp?.slice(0, 16).replace('T', ' ').concat(' UTC')]
  const body = [
    ...draw(wrap(styled(embed.author.name, 'bold'), inner), style),
    ...draw(blocks(embed.description ?? '', inner), style),
    ...(embed.fields.length === 0 ? [] : ['']),
    ...columns(embed.fields, inner, style),
    '',
    ...draw(wrap(styled(footer.filter((part) => part !== undefined).join(' · '), 'dim'), inner), style),
  ]
  const bar = paint('▌', `#${embed.color.toString(16).padStart(6, '0')}`, style)
  const head = draw(wrap(inline(payload.content), Math.max(style.width, 20)), style)
  return [...head, ...body.map((line) => `${bar} ${line}`.trimEnd())].join('\n')
}

/** A description's lines; quoted ones get Discord's bar before them. */
function blocks(description: string, width: number): Word[][] {
  return description.split('\n').flatMap((line) => {
    if (!line.startsWith('> ')) return wrap(inline(line), width)
    return wrap(inline(line.slice(2)), width - 2).map((words): Word[] => [
      { text: '┃ ', format: 'dim' },
      ...words,
    ])
  })
}

/** Inline fields stand side by side, three at most, as on Discord's desktop client. */
function columns(fields: DiscordField[], width: number, style: PreviewStyle): string[] {
  const perRow = Math.min(3, Math.max(1, Math.floor(width / 24)))
  const rows: DiscordField[][] = []
  for (const field of fields) {
    const row = rows.at(-1)
    const joins =
      field.inline && row !== undefined && row.length < perRow && row.every((other) => other.inline)
    if (joins) row.push(field)
    else rows.push([field])
  }
  return rows.flatMap((row) => {
    const cell = row[0]?.inline === true ? Math.floor(width / perRow) : width
    const cells = row.map((field) => [
      ...wrap(styled(plain(field.name), 'bold'), cell - 2),
      ...field.value.split('\n').flatMap((line) => wrap(inline(line), cell - 2)),
    ])
    const height = Math.max(...cells.map((lines) => lines.length))
    return Array.from({ length: height }, (_, line) =>
      cells.map((lines) => padded(lines[line] ?? [], cell, style)).join(''),
    )
  })
}

function padded(words: Word[], width: number, style: PreviewStyle): string {
  const blank = width - words.reduce((sum, word) => sum + columnsOf(word.text), 0)
  return (draw([words], style)[0] ?? '') + ' '.repeat(Math.max(blank, 0))
}

/** Our own markup is bold and links; the rest is escapes. */
function inline(markdown: string): Word[] {
  const token =
    /\[((?:\\.|[^\]\\])*)\]\([^)\s]*\)|\*\*((?:\\.|[^*\\])+)\*\*|((?:\\[\s\S]|(?!\[|\*\*)[\s\S])+|[\s\S])/gu
  return Array.from(markdown.matchAll(token)).flatMap(([, label, strong, rest]) => {
    if (label !== undefined) return styled(plain(label), ['blue', 'underline'])
    if (strong !== undefined) return styled(plain(strong), 'bold')
    return styled(plain(rest ?? ''))
  })
}

/** What Discord makes of its escapes. */
function plain(markdown: string): string {
  return markdown.replace(/\\([^0-9A-Za-z\s])/gu, '$1')
}

/** Words and the blanks between them, without whatever a terminal would obey. */
function styled(text: string, format?: Format): Word[] {
  const harmless = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '')
  return Array.from(harmless.matchAll(/\s+|\S+/gu), ([word]) =>
    format === undefined ? { text: word } : { text: word, format },
  )
}

function wrap(words: Word[], width: number): Word[][] {
  const lines: Word[][] = [[]]
  let left = width
  for (const word of words.flatMap((long) => pieces(long, width))) {
    const size = columnsOf(word.text)
    const blank = word.text.trim() === ''
    if (size > left) {
      lines.push([])
      left = width
    }
    if (blank && left === width) continue
    lines.at(-1)?.push(word)
    left -= size
  }
  return lines
}

/** A word that is longer than a line, in pieces that are not. */
function pieces(word: Word, width: number): Word[] {
  if (columnsOf(word.text) <= width) return [word]
  const parts = ['']
  for (const { segment } of graphemes.segment(word.text)) {
    const last = parts.at(-1) ?? ''
    if (last !== '' && columnsOf(last + segment) > width) parts.push(segment)
    else parts[parts.length - 1] = last + segment
  }
  return parts.map((text) => ({ ...word, text }))
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Columns in a terminal: two for East Asian characters and emoji. */
function columnsOf(text: string): number {
  const wide =
    /\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u
  return Array.from(graphemes.segment(text)).reduce(
    (sum, { segment }) => sum + (wide.test(segment) ? 2 : 1),
    0,
  )
}

function draw(lines: Word[][], style: PreviewStyle): string[] {
  return lines.map((words) => {
    const end = words.findLastIndex(({ text }) => text.trim() !== '')
    const shown = words.slice(0, end + 1)
    return shown
      .map(({ text, format }) => (format === undefined ? text : paint(text, format, style)))
      .join('')
  })
}

function paint(text: string, format: Format, style: PreviewStyle): string {
  return style.colour ? styleText(format, text, { validateStream: false }) : text
}
