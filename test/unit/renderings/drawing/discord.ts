import type { DiscordField, DiscordPayload } from '../../../../src/channels/discord/format.ts'
import { avatar } from './avatar.ts'
import { escapeHtml } from './escape.ts'

/** Sizes and colours as Discord's desktop client has them, light. */
export const discordStyle = [
  '',
  ".discord { font: 16px/22px 'gg sans', 'Open Sans', 'Helvetica Neue', Arial, sans-serif; color: #2e3338; letter-spacing: -.01em; }",
  '.discord .bar { font-weight: 600; padding: 12px 20px; border-bottom: 1px solid #e1e2e4; }',
  '.discord .bar span { color: #80848e; font-weight: 400; margin-right: 6px; }',
  '.discord .message { display: flex; gap: 16px; padding: 14px 20px 20px; }',
  '.discord .name { font-weight: 500; color: #060607; margin-right: 4px; }',
  '.discord .app { background: #5865f2; color: #fff; border-radius: 4px; font-size: 10px; font-weight: 600; padding: 1px 5px; vertical-align: 1px; }',
  '.discord .time { font-size: 12px; color: #5c5e66; margin-left: 6px; }',
  '.discord .embed { max-width: 500px; margin-top: 4px; background: #f2f3f5; border: 1px solid #e3e5e8; border-left: 4px solid;',
  '  border-radius: 4px; padding: 8px 16px 14px 12px; font-size: 14px; line-height: 18px; }',
  '.discord .author { font-weight: 600; margin-top: 8px; color: #060607; }',
  '.discord .button { display: inline-block; background: #e3e5e8; border-radius: 8px; font-size: 14px; font-weight: 500; line-height: 32px;',
  '  padding: 0 16px; margin: 8px 8px 0 0; }',
  '.discord a { color: #006ce7; text-decoration: none; }',
  '.discord .description { margin-top: 6px; white-space: pre-wrap; overflow-wrap: anywhere; }',
  '.discord .quote { border-left: 4px solid #c4c9ce; border-radius: 4px; padding-left: 12px; }',
  '.discord .fields { display: grid; grid-template-columns: repeat(12, 1fr); gap: 8px; margin-top: 8px; }',
  '.discord .field b { display: block; font-weight: 600; color: #060607; }',
  '.discord .footer { margin-top: 10px; font-size: 12px; line-height: 16px; color: #4e5058; font-weight: 500; }',
  '',
].join('\n')

/** The message in a channel of Discord's desktop client. `written` says a time as that client does. */
export function drawDiscord(payload: DiscordPayload, time: string, written: (iso: string) => string): string {
  const [embed] = payload.embeds
  const footer = [embed.footer.text, embed.timestamp === undefined ? [] : written(embed.timestamp)].flat()
  return `<div class="discord"><div class="bar"><span>#</span>ai-desk</div><div class="message">${avatar(40, 20)}<div>
<div><span class="name">Bluepencil</span><span class="app">APP</span><span class="time">${escapeHtml(time)}</span></div>
<div>${inline(payload.content)}</div>
<div class="embed" style="border-left-color:#${embed.color.toString(16).padStart(6, '0')}">
<div class="author">${escapeHtml(embed.author.name)}</div>
<div class="description">${blocks(embed.description ?? '')}</div>
<div class="fields">${rowsOf(embed.fields).map(drawRow).join('')}</div>
<div class="footer">${escapeHtml(footer.join('  •  '))}</div>
</div>${(payload.components ?? []).map(drawButtons).join('')}</div></div></div>`
}

function drawButtons({ components }: NonNullable<DiscordPayload['components']>[number]): string {
  const buttons = components.map(({ label }) => `<span class="button">${escapeHtml(label)}</span>`)
  return `<div class="buttons">${buttons.join('')}</div>`
}

/** Lines that begin with `> ` are one quote. */
function blocks(description: string): string {
  return description
    .split(/((?:^> .*(?:\n|$))+)/m)
    .map((part) =>
      part.startsWith('> ')
        ? `<div class="quote">${inline(part.trimEnd().replace(/^> /gm, ''))}</div>`
        : inline(part),
    )
    .join('')
}

/** Up to three inline fields share a row. */
function rowsOf(fields: DiscordField[]): DiscordField[][] {
  const rows: DiscordField[][] = []
  for (const field of fields) {
    const row = rows.at(-1)
    if (field.inline && row !== undefined && row.length < 3 && row[0]?.inline === true) row.push(field)
    else rows.push([field])
  }
  return rows
}

function drawRow(row: DiscordField[]): string {
  const span = row[0]?.inline === true && row.length > 1 ? 12 / row.length : 12
  return row
    .map(
      ({ name, value }) =>
        `<div class="field" style="grid-column:span ${span}"><b>${inline(name)}</b>${inline(value)}</div>`,
    )
    .join('')
}

/** The markup that the format writes (bold, links), and the escapes, as Discord resolves them. */
function inline(markdown: string): string {
  const token = /\[((?:\\.|[^\]\\])*)\]\(([^)\s]*)\)|\*\*((?:\\.|[^*\\])+)\*\*|\\([^0-9A-Za-z\s])|([\s\S])/gu
  return Array.from(markdown.matchAll(token), ([, label, url, strong, escaped, other]) => {
    if (label !== undefined) return `<a href="${escapeHtml(url ?? '')}">${inline(label)}</a>`
    if (strong !== undefined) return `<b>${inline(strong)}</b>`
    return escapeHtml(escaped ?? other ?? '')
  }).join('')
}
