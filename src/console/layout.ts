import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { may, type Visitor } from './access/who.ts'
import { type Html, html } from './html.ts'

/** What a page consists of, beside what all of them have. */
export interface ConsolePage {
  title: string
  body: Html
  /** 200 if it is not set. */
  status?: number
  /** It is shown anew when something changes. */
  isLive?: boolean
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
export const script = asset('live-page.js', 'text/javascript; charset=utf-8')

/** A file that pages load. Its name has a hash of its text, so a file never changes under its name. */
function asset(file: string, type: string) {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8')
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12)
  const [name = '', ending = ''] = file.split('.')
  return { name: `${name}-${hash}.${ending}`, type, text }
}

/** What was done. An address has only the code, so nobody can put words into a page. */
const flashes = new Map<unknown, string>(
  Object.entries({
    acknowledged: 'Acknowledged. Messages about it are edited where they can be.',
    'acknowledged-before': 'You had acknowledged it already.',
    silenced: 'The silence is in force. When it ends, one message says what it held.',
    'silence-ended': 'The silence has ended. What it held goes out in one message.',
    'silence-ended-before': 'That silence had ended already.',
    'sent-again': 'It is being sent again.',
    'sent-held': 'What was held is being sent.',
    'nothing-held': 'Nothing is held there any more.',
    'sent-before': 'That was done already; nothing was sent a second time.',
    'filters-changed': 'What the channel gets is changed, from now on and everywhere.',
    'filters-file': 'The channel gets what the configuration file says again.',
    'filters-file-before': 'The channel gets what the configuration file says already.',
    'filters-soon': 'It is written down, and will be in force as soon as what is being sent has ended.',
    'token-revoked': 'The token is revoked: nobody reads with it any more.',
    'signed-out': 'You are signed out.',
  }),
)

const menu = [
  { path: '/', name: 'Overview', role: 'reader' },
  { path: '/alerts', name: 'Alerts', role: 'reader' },
  { path: '/models', name: 'Models', role: 'reader' },
  { path: '/channels', name: 'Channels', role: 'reader' },
  { path: '/silences', name: 'Silences', role: 'reader' },
  { path: '/failed', name: 'Failed', role: 'reader' },
  { path: '/configuration', name: 'Configuration', role: 'admin' },
  { path: '/tokens', name: 'Tokens', role: 'admin' },
  { path: '/log', name: 'Audit log', role: 'admin' },
] as const

export function documentOf({ title, body, isLive = false }: ConsolePage, frame: Frame): Html {
  const { base, asOf, done } = frame
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · Bluepencil</title>
<link rel="stylesheet" href="${base}/${style.name}">
<link rel="icon" href="data:,">
${isLive && html`<script src="${base}/${script.name}" data-live="${base}/live?since=${asOf}" defer></script>`}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
${mastheadOf(frame)}
<main id="content" tabindex="-1">
${done !== undefined && html`<p class="done" role="status">${flashes.get(done) ?? ''}</p>`}
${body}
</main>
</body>
</html>
`
}

function mastheadOf({ base, path, visitor, token }: Frame): Html {
  return html`<header class="masthead">
<div class="bar">
<a class="name" href="${base}/">Bluepencil</a>
${visitor !== undefined && whoIsHere(visitor, { base, token })}
</div>
${
  visitor !== undefined &&
  html`<nav aria-label="Pages"><ul>
${menu
  .filter(({ role }) => may(visitor, role))
  .map(
    (page) =>
      html`<li><a href="${base}${page.path}"${isCurrent(page.path, path) && html` aria-current="page"`}>${page.name}</a></li>`,
  )}
</ul></nav>`
}
</header>`
}

function isCurrent(page: string, path: string): boolean {
  return page === '/' ? path === '/' : path === page || path.startsWith(`${page}/`)
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
