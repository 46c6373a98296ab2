import { createHash } from 'node:crypto'
import Mustache from 'mustache'

/** What somebody sees who follows the link in a mail. */
export type Page =
  | { shows: 'question' | 'done' | 'was-done'; channel: string; address: string; contact: string }
  | { shows: 'not-valid'; contact: string | undefined }
  | { shows: 'not-stored' }

/** Both colours by the reader's own choice; nothing is loaded, and nothing runs. */
const style = `:root{color-scheme:light dark}
body{font:1.125rem/1.5 Georgia,'Times New Roman',serif;margin:0 auto;max-width:34rem;padding:2rem 1.25rem;background:#fff;color:#1b1b1b}
h1{font-size:1.5rem;line-height:1.25;border-top:3px solid;padding-top:.75rem}
button{font:inherit;font-weight:bold;padding:.75rem 1.25rem;min-height:2.75rem;border:2px solid #1f4b8e;background:#1f4b8e;color:#fff;cursor:pointer}
button:focus-visible{outline:3px solid #9c2a1c;outline-offset:3px}
@media(prefers-color-scheme:dark){body{background:#16181b;color:#e9e6df}button{border-color:#9dbdf0;background:#9dbdf0;color:#16181b}button:focus-visible{outline-color:#f0998c}}`

const template = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>{{heading}}</title>
<style>{{{style}}}</style>
</head>
<body>
<main>
<h1>{{heading}}</h1>
{{#text}}
<p>{{.}}</p>
{{/text}}
{{#isQuestion}}
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>Unsubscribe</button></form>
{{/isQuestion}}
</main>
</body>
</html>
`

const styleHash = createHash('sha256').update(style).digest('base64')

/** The address holds a token: it is to reach no other site, no store of pages and no search. */
export const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
}

export function htmlOf(page: Page): string {
  return Mustache.render(template, { style, isQuestion: page.shows === 'question', ...wordsOf(page) })
}

function wordsOf(page: Page): { heading: string; text: string[] } {
  switch (page.shows) {
    case 'question':
      return {
        heading: `Unsubscribe from ${page.channel}?`,
        text: [
          `${hidden(page.address)} gets mail from the Bluepencil channel ${page.channel}. After this it gets none.`,
        ],
      }
    case 'done':
      return { heading: `Unsubscribed from ${page.channel}`, text: [ended(page)] }
    case 'was-done':
      return { heading: `Already unsubscribed from ${page.channel}`, text: [ended(page)] }
    case 'not-valid':
      return {
        heading: 'This link is not valid',
        text: [
          'Nothing was changed. Was the whole address of the link opened?',
          page.contact === undefined
            ? 'To get no more mail, answer one of the mails.'
            : `To get no more mail, write to ${page.contact}.`,
        ],
      }
    case 'not-stored':
      return {
        heading: 'This could not be written down',
        text: ['You still get mail. Please try again in a few minutes.'],
      }
  }
}

function ended({ address, contact }: { address: string; contact: string }): string {
  return `No more mail of this channel goes to ${hidden(address)}. To get it again, write to ${contact}.`
}

/** Enough for its owner, and little for who was sent the link. */
function hidden(address: string): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, 1)}…${address.slice(at)}`
}
