import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { counted } from '../platform/text.ts'
import type { Visitor } from './access/who.ts'
import { type Html, html } from './html.ts'
import { type MenuEntry, menuOf } from './menu.ts'

/** What a page consists of, beside what all of them have. */
export interface ConsolePage {
  title: string
  body: Html
  /** 200 if it is not set. */
  status?: number
  /** It is shown anew when something changes. */
  isLive?: boolean
  /** It has buttons to copy (`copyField`). */
  canCopy?: boolean
  /** Its form takes a key from the address. */
  takesKey?: boolean
}

/** What the frame of a page is made of. */
interface Frame {
  /** Below which everything stands, such as `/console`. */
  base: string
  /** The path of the page below it. */
  path: string
  visitor: Visitor | undefined
  token: string
  /** Which changes it has. */
  asOf: string
  /** What was just done, by its code. */
  done: string | undefined
}

export const style = asset('style.css', 'text/css; charset=utf-8')
export const icon = asset('icon.svg', 'image/svg+xml')
export const copyScript = asset('copy.js', 'text/javascript; charset=utf-8')
export const linkKey = asset('link-key.js', 'text/javascript; charset=utf-8')
export const script = asset('live-page.js', 'text/javascript; charset=utf-8')

/** A file that pages load. Its name has a hash of its text, so a file never changes under its name. */
function asset(file: string, type: string) {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8')
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12)
  const [name = '', ending = ''] = file.split('.')
  return { name: `${name}-${hash}.${ending}`, type, text }
}

/** What was done. An address has only the code and numbers, so nobody can put words into a page. */
function flashText(done: string): string {
  const [, alerts, channels] = /^all-held-(\d{1,6})-(\d{1,4})$/.exec(done) ?? []
  if (alerts === undefined || channels === undefined) return flashes.get(done) ?? ''
  const [what, where] = [counted(Number(alerts), 'held alert is', 'held alerts are'), Number(channels)]
  return `${what} being sent now, to ${counted(where, 'channel')}.`
}

const flashes = new Map<unknown, string>(
  Object.entries({
    acknowledged: 'Acknowledged. Bluepencil edits the messages about it, if the channel allows it.',
    'acknowledged-before': 'You had acknowledged it already.',
    'desk-checking': 'You are checking it. Bluepencil edits the messages about it, if the channel allows it.',
    'desk-published':
      'Marked as published. Bluepencil edits the messages about it, if the channel allows it.',
    'desk-new': 'It is new again.',
    'desk-outrun': 'Nothing was changed, because somebody else was faster. This is the current state.',
    silenced: 'The silence has started. When it ends, one message lists the alerts that it held.',
    'silence-ended': 'The silence has ended. The alerts that it held go out in one message.',
    'silence-ended-before': 'That silence had ended already.',
    'sent-again': 'It is being sent.',
    'sent-held': 'The held alerts are being sent.',
    'nothing-held': 'Nothing is held there now.',
    'none-held': 'Nothing is held now.',
    'sent-before': 'That was already done. Nothing was sent a second time.',
    'filters-changed': 'The channel’s filters are changed.',
    'filters-file': 'The channel uses the filters of the configuration file again.',
    'filters-file-before': 'The channel already uses the filters of the configuration file.',
    'filters-soon': 'It is saved, and takes effect when the messages being sent now are finished.',
    'feed-withdrawn': 'The address is withdrawn and no longer works.',
    'token-revoked': 'The token is revoked and no longer works.',
    'signed-out': 'You are signed out.',
    saved: 'It is saved, and takes effect within seconds.',
    removed: 'The channel is removed.',
    paused: 'The channel is paused. New alerts for it are held.',
    resumed: 'The channel is resumed. One message lists the alerts that were held.',
    'password-changed': 'Your password is changed. Sign in with the new one.',
  }),
)

export function documentOf(page: ConsolePage, frame: Frame): Html {
  const { title, body, status } = page
  const { base, done, visitor } = frame
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${status === 422 && 'Error: '}${title} · Bluepencil</title>
<link rel="stylesheet" href="${base}/${style.name}">
<link rel="icon" type="image/svg+xml" href="${base}/${icon.name}">
${scriptsOf(page, frame)}
</head>
<body${visitor !== undefined && html` class="framed"`}>
<a class="skip" href="#content">Skip to the content</a>
${mastheadOf(frame)}
<main id="content" tabindex="-1">
${done !== undefined && html`<p class="done" role="status">${flashText(done)}</p>`}
${body}
</main>
</body>
</html>
`
}

function scriptsOf({ isLive, canCopy, takesKey }: ConsolePage, { base, asOf }: Frame): Html {
  return html`${isLive && html`<script src="${base}/${script.name}" data-live="${base}/live?since=${asOf}" defer></script>`}
${canCopy && html`<script src="${base}/${copyScript.name}" defer></script>`}
${takesKey && html`<script src="${base}/${linkKey.name}" defer></script>`}`
}

function mastheadOf({ base, path, visitor, token }: Frame): Html {
  const name = html`<a class="name" href="${base}/"><img src="${base}/${icon.name}" alt="" width="24" height="24">Bluepencil</a>`
  if (visitor === undefined) return html`<header class="masthead">${name}</header>`
  const entries = menuOf(visitor, path)
  const nav = html`<nav aria-label="Pages">${menuList(entries, base)}</nav>`
  const who = whoIsHere(visitor, { base, token })
  // One of the two is shown: beside the page, or as a menu if the window is narrow.
  return html`<header class="masthead">
${name}
<div class="side">${nav}</div>
${who}
<details class="menu"><summary>Menu</summary>${nav}${who}</details>
</header>`
}

function menuList(entries: readonly MenuEntry[], base: string): Html {
  return html`<ul>${entries.map(
    ({ path, name, current, pages }) =>
      html`<li><a href="${base}${path}"${current && html` aria-current="${current}"`}>${name}</a>${pages.length > 0 && menuList(pages, base)}</li>`,
  )}</ul>`
}

function whoIsHere(
  { name, role, hasSignedIn }: Visitor,
  { base, token }: { base: string; token: string },
): Html {
  return html`<div class="who"><span>${name}, ${role}</span>
${
  hasSignedIn &&
  html`<form method="post" action="${base}/sign-out"><input type="hidden" name="token" value="${token}"><button class="quiet">Sign out</button></form>`
}</div>`
}
