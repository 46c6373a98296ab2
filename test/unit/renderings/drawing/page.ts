import { type Rendered, timeZone } from '../rendered.ts'
import { discordStyle, drawDiscord } from './discord.ts'
import { drawMail, mailStyle } from './mail.ts'
import { drawSlack, slackStyle } from './slack.ts'

/** A page to take a picture of: its width in CSS pixels, its height is in `data-height` once it is laid out. */
export interface Page {
  width: number
  html: string
}

const style = [
  '',
  '* { box-sizing: border-box; }',
  'html, body { margin: 0; }',
  'body { background: #e9e7e1; padding: 28px; }',
  '.columns { display: grid; grid-template-columns: 1fr 1fr; gap: 28px; align-items: start; }',
  'figure { margin: 0; }',
  "figcaption { font: 600 13px/18px Inter, 'Helvetica Neue', Arial, sans-serif; color: #55524b; margin: 0 0 8px 2px; }",
  '.window { background: #fff; border-radius: 10px; overflow: hidden; border: 1px solid #cfccc4; }',
  '.window.dark { border-color: #000; }',
  '',
].join('\n')

/** A frame is as high as what it shows. */
const measure = `<script>
addEventListener('load', () => {
  for (const frame of document.querySelectorAll('iframe')) {
    frame.style.height = frame.contentDocument.documentElement.scrollHeight + 'px'
  }
  document.documentElement.dataset.height = Math.ceil(document.body.getBoundingClientRect().height)
})
</script>`

/** A message as it stands in Slack and in Discord. */
export function inChats({ slack, discord, sentAt }: Rendered): Page {
  const timeInWords = (iso: string) => dayAndClock(Date.parse(iso))
  const both = [
    figure('Slack', drawSlack(slack, clock(sentAt))),
    figure('Discord', drawDiscord(discord, dayAndClock(sentAt), timeInWords)),
  ]
  return page(1240, `<div class="columns">${both.join('')}</div>`)
}

/** The mail, for a reader who has chosen the light or the dark. */
export function inMail({ email, sentAt }: Rendered, scheme: 'light' | 'dark'): Page {
  const mail = drawMail(email, dayAndClock(sentAt), scheme)
  return page(700, `<div class="window ${scheme}">${mail}</div>`)
}

function figure(caption: string, content: string): string {
  return `<figure><figcaption>${caption}</figcaption><div class="window">${content}</div></figure>`
}

function page(width: number, body: string): Page {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><style>${style}${slackStyle}${discordStyle}${mailStyle}</style></head>
<body>${body}${measure}</body></html>`
  return { width, html }
}

function clock(at: number): string {
  return new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone }).format(at)
}

function dayAndClock(at: number): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'short', timeStyle: 'short', timeZone }).format(at)
}
