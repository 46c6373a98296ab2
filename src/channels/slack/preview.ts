import stringWidth from 'string-width'
import type { Message } from '../../message/message.ts'
import { padded, wrap } from '../../platform/terminal.ts'
import { painted } from '../../platform/text.ts'
import type { PreviewStyle, View } from '../kind.ts'
import {
  formatSlack,
  type Markup,
  type PlainText,
  type RichTextBlock,
  type SectionBlock,
  type SlackBlock,
  type SlackPayload,
} from './format.ts'
import { plain } from './text.ts'

/** The file holds what Slack's Block Kit Builder reads (https://app.slack.com/block-kit-builder). */
export function viewOnSlack(message: Message): View {
  const payload = formatSlack(message)
  return {
    text: (style) => previewSlack(payload, style),
    payload,
    files: { json: `${JSON.stringify({ blocks: payload.blocks }, null, 2)}\n` },
  }
}

const narrowest = 30
const widest = 100
/** How the payload reads in Slack, drawn for a terminal. No control character of the payload gets through. */
export function previewSlack(payload: SlackPayload, { width, colour }: PreviewStyle): string {
  const inner = Math.min(Math.max(width, narrowest), widest) - 4
  const lines = payload.blocks.flatMap((block, index) => [
    ...(index < 2 ? [] : ['']),
    ...drawBlock(block, inner, colour),
  ])
  const edge = painted('dim', '│', colour)
  const rows = lines.map((line) => `${edge} ${padded(line, inner)} ${edge}`)
  const top = painted('dim', `╭─ Slack ${'─'.repeat(inner - 6)}╮`, colour)
  const bottom = painted('dim', `╰${'─'.repeat(inner + 2)}╯`, colour)
  return [top, ...rows, bottom].join('\n')
}

function drawBlock(block: SlackBlock, width: number, colour: boolean): string[] {
  switch (block.type) {
    case 'header':
      return drawn(run(block.text.text, colour, 'bold'), width)
    case 'section':
      return drawSection(block, width, colour)
    case 'rich_text':
      return drawRichText(block, width, colour)
    case 'actions':
      return drawn(block.elements.map(({ text }) => run(`[${text.text}]`, colour, 'cyan')).join(' '), width)
    case 'context':
      return block.elements.flatMap((element) => drawn(run(element.text, colour, 'dim'), width))
  }
}

function drawSection({ text, fields = [] }: SectionBlock, width: number, colour: boolean): string[] {
  const lines = text
    ? drawn(run(text.type === 'mrkdwn' ? mentioned(text.text) : text.text, colour), width)
    : []
  const shown = fields.map((field) => fieldRun(field, colour))
  const labels = shown.filter((_, index) => index % 2 === 0)
  const column = Math.min(
    Math.max(0, ...labels.map((label) => stringWidth(label))) + 2,
    Math.floor(width / 2),
  )
  for (let index = 0; index < shown.length; index += 2) {
    const left = drawn(shown[index] ?? '', column - 2)
    const right = drawn(shown[index + 1] ?? '', width - column)
    for (let row = 0; row < Math.max(left.length, right.length); row++) {
      lines.push(padded(left[row] ?? '', column) + (right[row] ?? ''))
    }
  }
  return lines
}

/** `<!here>`, `<@U0123456>`, `<!subteam^S0123456>`: a terminal knows nobody's name. */
function mentioned(markup: string): string {
  return markup.replace(/<(?:!subteam\^|!|@)(\w+)>/g, '@$1')
}

/** Of fields, the only markup is a bold label. */
function fieldRun(field: PlainText | Markup, colour: boolean): string {
  if (field.type === 'mrkdwn') return run(field.text.replace(/^\*|\*$/g, ''), colour, 'bold')
  return run(field.text, colour)
}

function drawRichText(block: RichTextBlock, width: number, colour: boolean): string[] {
  return block.elements.flatMap(({ type, elements }) => {
    const text = elements
      .map((element) => {
        if (element.type === 'text') return run(element.text, colour, element.style && 'bold')
        return run(element.text, colour, 'cyan') + run(` ${element.url}`, colour, 'dim')
      })
      .join('')
    if (type === 'rich_text_section') return drawn(text, width)
    return drawn(text, width - 2).map((line) => painted('yellow', '▎ ', colour) + line)
  })
}

/** Text in one look; at a line end the look ends and begins again. */
function run(text: string, colour: boolean, look?: 'bold' | 'dim' | 'cyan'): string {
  const lines = text.split('\n').map(safe)
  return lines.map((line) => (look === undefined ? line : painted(look, line, colour))).join('\n')
}

/** Broken into lines, without an empty one at the end. */
function drawn(text: string, width: number): string[] {
  const lines = wrap(text, width)
  return lines.length > 1 && lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** As `plain`, with the blanks at both ends kept: they part one run from the next. */
function safe(text: string): string {
  const line = plain(text)
  const start = text.startsWith(' ') ? ' ' : ''
  return line === '' ? text.replace(/[^ ]+/g, '') : `${start}${line}${text.endsWith(' ') ? ' ' : ''}`
}
