import { styleText } from 'node:util'
import type { Markup, PlainText, RichTextBlock, SectionBlock, SlackBlock, SlackPayload } from './payload.ts'
import { plain } from './text.ts'

export interface PreviewStyle {
  /** Columns of the terminal. */
  width: number
  colour: boolean
}

type Look = 'bold' | 'dim' | 'cyan' | 'yellow'
interface Run {
  text: string
  look?: Look | undefined
}
type Line = Run[]

const narrowest = 30
const widest = 100
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const wide =
  /\ufe0f|[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u

/** How the payload reads in Slack, drawn for a terminal. No control character of the payload gets through. */
export function previewSlack(payload: SlackPayload, { width, colour }: PreviewStyle): string {
  const inner = Math.min(Math.max(width, narrowest), widest) - 4
  const paint = (text: string, look: Look | undefined) =>
    colour && look ? styleText(look, text, { validateStream: false }) : text
  const lines = payload.blocks.flatMap((block, index) => [
    ...(index < 2 ? [] : [[]]),
    ...drawBlock(block, inner),
  ])
  const rows = lines.map((line) => {
    const drawn = line.map((run) => paint(run.text, run.look)).join('')
    const gap = ' '.repeat(Math.max(0, inner - widthOf(line.map((run) => run.text).join(''))))
    return `${paint('│', 'dim')} ${drawn}${gap} ${paint('│', 'dim')}`
  })
  const top = paint(`╭─ Slack ${'─'.repeat(inner - 6)}╮`, 'dim')
  const bottom = paint(`╰${'─'.repeat(inner + 2)}╯`, 'dim')
  return [top, ...rows, bottom].join('\n')
}

function drawBlock(block: SlackBlock, width: number): Line[] {
  switch (block.type) {
    case 'header':
      return wrap([{ text: block.text.text, look: 'bold' }], width)
    case 'section':
      return drawSection(block, width)
    case 'rich_text':
      return drawRichText(block, width)
    case 'context':
      return block.elements.flatMap((element) => wrap([{ text: element.text, look: 'dim' }], width))
  }
}

function drawSection({ text, fields = [] }: SectionBlock, width: number): Line[] {
  const lines = text ? wrap([{ text: text.text }], width) : []
  const labels = fields.filter((_, index) => index % 2 === 0).map(fieldRun)
  const column = Math.min(Math.max(0, ...labels.map((run) => widthOf(run.text))) + 2, Math.floor(width / 2))
  for (let index = 0; index < fields.length; index += 2) {
    const left = wrap([fieldRun(fields[index])], column - 2)
    const right = wrap([fieldRun(fields[index + 1])], width - column)
    for (let row = 0; row < Math.max(left.length, right.length); row++) {
      const start = left[row] ?? []
      const gap = ' '.repeat(column - widthOf(start.map((run) => run.text).join('')))
      lines.push([...start, { text: gap }, ...(right[row] ?? [])])
    }
  }
  return lines
}

/** The only markup that the format writes is one bold label. */
function fieldRun(field: PlainText | Markup | undefined): Run {
  if (field?.type === 'mrkdwn') return { text: field.text.replace(/^\*|\*$/g, ''), look: 'bold' }
  return { text: field?.text ?? '' }
}

function drawRichText(block: RichTextBlock, width: number): Line[] {
  return block.elements.flatMap(({ type, elements }) => {
    const runs = elements.flatMap((element): Run[] => {
      if (element.type === 'text') return [{ text: element.text, look: element.style && 'bold' }]
      return [
        { text: element.text, look: 'cyan' },
        { text: ` ${element.url}`, look: 'dim' },
      ]
    })
    if (type === 'rich_text_section') return wrap(runs, width)
    return wrap(runs, width - 2).map((line): Line => [{ text: '▎ ', look: 'yellow' }, ...line])
  })
}

/** Breaks at blanks and line ends; a word that is wider than the line breaks anywhere. */
function wrap(runs: Run[], width: number): Line[] {
  const lines: Line[] = [[]]
  let used = 0
  const put = (text: string, look: Look | undefined) => {
    lines.at(-1)?.push({ text, look })
    used += widthOf(text)
  }
  const feed = () => {
    lines.push([])
    used = 0
  }
  for (const { text, look } of runs) {
    for (const [index, paragraph] of text.split('\n').entries()) {
      if (index > 0) feed()
      for (const word of safe(paragraph).match(/ +|[^ ]+/g) ?? []) {
        if (used + widthOf(word) <= width) put(word, look)
        else if (word.startsWith(' ')) feed()
        else {
          if (used > 0) feed()
          for (const { segment } of graphemes.segment(word)) {
            if (used > 0 && used + widthOf(segment) > width) feed()
            put(segment, look)
          }
        }
      }
    }
  }
  return lines.length > 1 && lines.at(-1)?.length === 0 ? lines.slice(0, -1) : lines
}

/** As `plain`, with the blanks at both ends kept: they part one run from the next. */
function safe(text: string): string {
  const line = plain(text)
  const start = text.startsWith(' ') ? ' ' : ''
  return line === '' ? text.replace(/[^ ]+/g, '') : `${start}${line}${text.endsWith(' ') ? ' ' : ''}`
}

/** Columns in a terminal. */
function widthOf(text: string): number {
  let columns = 0
  for (const { segment } of graphemes.segment(text)) {
    if (/^[\p{M}\p{Cf}]+$/u.test(segment)) continue
    columns += wide.test(segment) ? 2 : 1
  }
  return columns
}
