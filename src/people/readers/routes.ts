import { createHash } from 'node:crypto'
import type { IRouter, Request, Response } from 'express'
import Mustache from 'mustache'
import { type Language, languages } from '../../message/words/phrases.ts'
import { loadWords, type Words, wordsOf } from '../../message/words/words.ts'
import { StoreUnavailable } from '../../store/store.ts'
import type { KeptReaders } from './readers.ts'

interface RoutesParts {
  readers: Pick<KeptReaders, 'read' | 'isUnsubscribed' | 'unsubscribe'>
  /** Whom readers write to; undefined if no mail is configured any more. */
  contact(): string | undefined
  /** Of a channel; undefined if there is no such channel any more. */
  language(channel: string): Language | undefined
  onError(error: unknown): void
}

/**
 * The way out for readers of mail. GET asks, and changes nothing: scanners and previews follow links. POST does it,
 * whether the page's button or the mail program sends it (RFC 8058); its body says nothing more, and is not read.
 */
export function unsubscribing(parts: RoutesParts): (routes: IRouter) => void {
  const { readers, onError } = parts

  /** In the language of the channel; if that is not known, in one that the reader's browser asks for. */
  async function answer(
    request: Request,
    response: Response,
    { status, page, channel }: { status: number; page: ReaderPage; channel?: string },
  ): Promise<void> {
    const spoken = channel === undefined ? undefined : parts.language(channel)
    const language = spoken ?? languages.find((one) => one === request.acceptsLanguages([...languages]))
    await loadWords([language ?? 'en'])
    response
      .status(status)
      .set(pageHeaders)
      .send(htmlOf(page, wordsOf(language)))
  }

  async function notValid(request: Request, response: Response): Promise<void> {
    return answer(request, response, { status: 404, page: { shows: 'not-valid', contact: parts.contact() } })
  }

  return (routes) => {
    routes.get('/unsubscribe/:token', async (request, response) => {
      const subscription = await readers.read(request.params.token)
      if (subscription === undefined) return notValid(request, response)
      const shows = (await readers.isUnsubscribed(subscription)) ? 'was-done' : 'question'
      const page: ReaderPage = { shows, ...subscription, contact: parts.contact() }
      return answer(request, response, { status: 200, page, channel: subscription.channel })
    })
    routes.post('/unsubscribe/:token', async (request, response) => {
      const subscription = await readers.read(request.params.token)
      if (subscription === undefined) return notValid(request, response)
      const { channel } = subscription
      try {
        await readers.unsubscribe(subscription)
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
        onError(error)
        response.set('Retry-After', '60')
        return answer(request, response, { status: 503, page: { shows: 'not-stored' }, channel })
      }
      const page: ReaderPage = { shows: 'done', ...subscription, contact: parts.contact() }
      return answer(request, response, { status: 200, page, channel })
    })
    routes.all('/unsubscribe/:token', (_request, response) => {
      const message = 'This address is opened with GET, and confirmed with POST.'
      response.status(405).set('Allow', 'GET, HEAD, POST')
      response.json({ error: { code: 'METHOD_NOT_ALLOWED', message } })
    })
  }
}

interface Subscribed {
  channel: string
  address: string
  /** Whom readers write to; undefined if that is not known any more. */
  contact: string | undefined
}

/** What somebody sees who follows the link in a mail. */
export type ReaderPage =
  | ({ shows: 'question' | 'done' | 'was-done' } & Subscribed)
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
<html lang="{{language}}">
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
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>{{button}}</button></form>
{{/isQuestion}}
</main>
</body>
</html>
`

const styleHash = createHash('sha256').update(style).digest('base64')

/** The address holds a token: it is to reach no other site, no store of pages and no search. */
const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
}

export function htmlOf(page: ReaderPage, words: Words): string {
  return Mustache.render(template, {
    style,
    language: words.language,
    isQuestion: page.shows === 'question',
    button: words.say('unsubscribe'),
    ...contentOf(page, words),
  })
}

function contentOf(page: ReaderPage, words: Words): { heading: string; text: string[] } {
  switch (page.shows) {
    case 'question': {
      const address = hidden(page.address)
      const text = words.say('endMailText', { address, channel: page.channel })
      return { heading: words.say('endMail', page), text: [text] }
    }
    case 'done':
      return { heading: words.say('mailEnded', page), text: [ended(page, words)] }
    case 'was-done':
      return { heading: words.say('mailHadEnded', page), text: [ended(page, words)] }
    case 'not-valid': {
      const { contact } = page
      const way = contact === undefined ? words.say('endByAnswer') : words.say('endByWriting', { contact })
      return { heading: words.say('linkNotValid'), text: [words.say('linkNotWhole'), way] }
    }
    case 'not-stored':
      return { heading: words.say('notWrittenDown'), text: [words.say('stillMail')] }
  }
}

function ended({ address, contact }: Subscribed, words: Words): string {
  return words.say('noMoreMail', {
    address: hidden(address),
    contact: contact ?? words.say('senderOfTheMail'),
  })
}

/** Enough for its owner, and little for who was sent the link. */
function hidden(address: string): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, 1)}…${address.slice(at)}`
}
