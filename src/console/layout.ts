import { may, type Visitor } from './access/who.ts'
import { type Html, html } from './html.ts'
import { said } from './said.ts'

/** What a page consists of, beside what all of them have. */
export interface ConsolePage {
  title: string
  body: Html
  /** 200 where it is not set. */
  status?: number
  /** It is shown anew when something changes. */
  isLive?: boolean
}

/** What the frame of a page is made of. */
export interface Frame {
  /** Below which everything stands, such as `/console`. */
  base: string
  /** The path of the page below it. */
  path: string
  assets: { style: string; script: string }
  visitor?: Visitor | undefined
  token: string
  /** Which changes it has. */
  asOf: string
  /** What was just done, by its code. */
  done?: string | undefined
}

const pages = [
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
  const { base, assets, asOf, done } = frame
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · Bluepencil</title>
<link rel="stylesheet" href="${base}/${assets.style}">
<link rel="icon" href="data:,">
${isLive && html`<script src="${base}/${assets.script}" data-live="${base}/live?since=${asOf}" defer></script>`}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
${mastheadOf(frame)}
<main id="content" tabindex="-1">
${done !== undefined && html`<p class="done" role="status">${said(done)}</p>`}
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
${pages
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
