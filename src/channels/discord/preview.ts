import type { Message } from '../../message/message.ts'
import { padded, wrap } from '../../platform/terminal.ts'
import { painted } from '../../platform/text.ts'
import type { PreviewStyle, View } from '../kind.ts'
import type { DiscordSettings } from './config.ts'
import { type DiscordField, type DiscordPayload, formatDiscord } from './format.ts'

export function viewOnDiscord(message: Message, { to }: DiscordSettings): View {
  const payload = formatDiscord(message, to)
  return {
    text: (style) => previewDiscord(payload, style),
    payload,
    files: { json: `${JSON.stringify(payload, null, 2)}\n` },
  }
}

/**
 * How the message reads in Discord, for a terminal. Drawn from what is really sent: the backslashes that are gone
 * here are those that Discord takes away, so text that could do harm there shows as harm here.
 */
export function previewDiscord(payload: DiscordPayload, style: PreviewStyle): string {
  const [embed] = payload.embeds
  const { colour } = style
  const inner = Math.max(style.width - 2, 20)
  const footer = [embed.footer.text, embed.timestamp?.slice(0, 16).replace('T', ' ').concat(' UTC')]
  const body = [
    ...wrap(painted('bold', harmless(embed.author.name), colour), inner),
    ...blocks(embed.description ?? '', inner, colour),
    ...(embed.fields.length === 0 ? [] : ['']),
    ...columns(embed.fields, inner, colour),
    '',
    ...wrap(painted('dim', harmless(footer.filter((part) => part !== undefined).join(' · ')), colour), inner),
  ]
  const bar = painted(`#${embed.color.toString(16).padStart(6, '0')}`, '▌', colour)
  const head = wrap(inline(payload.content, colour), Math.max(style.width, 20))
  return [...head, ...body.map((line) => `${bar} ${line}`.trimEnd())].join('\n')
}

/** A description's lines; quoted ones get Discord's bar before them. */
function blocks(description: string, width: number, colour: boolean): string[] {
  return description.split('\n').flatMap((line) => {
    if (!line.startsWith('> ')) return wrap(inline(line, colour), width)
    return wrap(inline(line.slice(2), colour), width - 2).map((part) => painted('dim', '┃ ', colour) + part)
  })
}

/** Inline fields stand side by side, three at most, as on Discord's desktop client. */
function columns(fields: DiscordField[], width: number, colour: boolean): string[] {
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
      ...wrap(painted('bold', harmless(unescaped(field.name)), colour), cell - 2),
      ...field.value.split('\n').flatMap((line) => wrap(inline(line, colour), cell - 2)),
    ])
    const height = Math.max(...cells.map((lines) => lines.length))
    return Array.from({ length: height }, (_, line) =>
      cells.map((lines) => padded(lines[line] ?? '', cell)).join(''),
    )
  })
}

/** Our own markup is bold and links; the rest is escapes. */
function inline(markdown: string, colour: boolean): string {
  const token =
    /\[((?:\\.|[^\]\\])*)\]\([^)\s]*\)|\*\*((?:\\.|[^*\\])+)\*\*|((?:\\[\s\S]|(?!\[|\*\*)[\s\S])+|[\s\S])/gu
  return Array.from(markdown.matchAll(token), ([, label, strong, rest]) => {
    if (label !== undefined) return painted(['blue', 'underline'], harmless(unescaped(label)), colour)
    if (strong !== undefined) return painted('bold', harmless(unescaped(strong)), colour)
    return harmless(unescaped(rest ?? ''))
  }).join('')
}

/** What Discord makes of its escapes. */
function unescaped(markdown: string): string {
  return markdown.replace(/\\([^0-9A-Za-z\s])/gu, '$1')
}

/** Without characters that a terminal obeys. */
function harmless(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '')
}
