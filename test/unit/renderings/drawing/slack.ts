import type { RichTextElement, SlackBlock, SlackPayload } from '../../../../src/channels/slack/format.ts'
import { avatar } from './avatar.ts'
import { escapeHtml } from './escape.ts'

/** Sizes and colours as Slack's web client has them. */
export const slackStyle = [
  '',
  ".slack { font: 15px/22px Lato, 'Helvetica Neue', Arial, sans-serif; color: #1d1c1d; font-variant-ligatures: none; }",
  '.slack .bar { font-weight: 900; font-size: 18px; padding: 12px 20px; border-bottom: 1px solid #e8e8e8; }',
  '.slack .message { display: flex; gap: 8px; padding: 14px 20px 18px; }',
  '.slack .name { font-weight: 900; margin-right: 4px; }',
  '.slack .app { font-size: 10px; font-weight: 700; line-height: 14px; color: #616061; background: #e8e8e8;',
  '  border-radius: 2px; padding: 1px 3px; margin-right: 6px; vertical-align: 1px; }',
  '.slack .time, .slack .context { font-size: 12px; color: #616061; }',
  '.slack .blocks { max-width: 600px; }',
  '.slack .block { margin-top: 8px; }',
  '.slack .blocks .block:first-child { margin-top: 2px; }',
  '.slack .header { font-size: 18px; line-height: 24px; font-weight: 900; }',
  '.slack .fields { display: grid; grid-template-columns: 1fr 1fr; gap: 4px 16px; }',
  '.slack .context { font-size: 13px; line-height: 18px; }',
  '.slack .quote { border-left: 4px solid #ddd; border-radius: 8px; padding-left: 16px; margin-left: -1px; }',
  '.slack .rich, .slack .text { white-space: pre-wrap; overflow-wrap: anywhere; }',
  '.slack .button { display: inline-block; border: 1px solid #bbbabb; border-radius: 8px; font-size: 13px; font-weight: 700;',
  '  line-height: 26px; padding: 0 11px; margin: 2px 8px 2px 0; }',
  '.slack a { color: #1264a3; text-decoration: none; }',
  '',
].join('\n')

/** The message in a channel of Slack's web client. */
export function drawSlack(payload: SlackPayload, time: string): string {
  return `<div class="slack"><div class="bar"># ai-desk</div><div class="message">${avatar(36, 8)}<div>
<div><span class="name">Bluepencil</span><span class="app">APP</span><span class="time">${escapeHtml(time)}</span></div>
<div class="blocks">${payload.blocks.map((block) => `<div class="block">${drawBlock(block)}</div>`).join('')}</div>
</div></div></div>`
}

function drawBlock(block: SlackBlock): string {
  switch (block.type) {
    case 'header':
      return `<div class="header">${escapeHtml(block.text.text)}</div>`
    case 'section': {
      const text = block.text === undefined ? '' : `<div class="text">${escapeHtml(block.text.text)}</div>`
      const fields = (block.fields ?? []).map((field) =>
        field.type === 'plain_text'
          ? `<div>${escapeHtml(field.text)}</div>`
          : `<div><b>${escapeHtml(field.text.slice(1, -1))}</b></div>`,
      )
      return text + (fields.length === 0 ? '' : `<div class="fields">${fields.join('')}</div>`)
    }
    case 'rich_text':
      return block.elements
        .map(({ type, elements }) => {
          const look = type === 'rich_text_quote' ? 'rich quote' : 'rich'
          return `<div class="${look}">${elements.map(drawElement).join('')}</div>`
        })
        .join('')
    case 'actions':
      return block.elements.map(({ text }) => `<span class="button">${escapeHtml(text.text)}</span>`).join('')
    case 'context':
      return `<div class="context">${block.elements.map(({ text }) => escapeHtml(text)).join(' ')}</div>`
  }
}

function drawElement(element: RichTextElement): string {
  if (element.type === 'link') return `<a href="${escapeHtml(element.url)}">${escapeHtml(element.text)}</a>`
  return element.style?.bold === true ? `<b>${escapeHtml(element.text)}</b>` : escapeHtml(element.text)
}
