import type { IRouter, Request, Response } from 'express'
import { type Language, languages } from '../../message/words/language.ts'
import { loadWords, wordsOf } from '../../message/words/words.ts'
import { StoreUnavailable } from '../../store/store.ts'
import { htmlOf, pageHeaders, type ReaderPage } from './page.ts'
import type { KeptReaders } from './readers.ts'

interface RoutesParts {
  readers: Pick<KeptReaders, 'read' | 'isUnsubscribed' | 'unsubscribe'>
  /** Whom readers write to; undefined where no mail is configured any more. */
  contact(): string | undefined
  /** Which a channel speaks; undefined where there is no such channel any more. */
  language(channel: string): Language | undefined
  onError(error: unknown): void
}

/**
 * The way out for readers of mail. GET asks, and changes nothing: scanners and previews follow links. POST does it,
 * whether the page's button or the mail program sends it (RFC 8058); its body says nothing more, and is not read.
 */
export function unsubscribing(parts: RoutesParts): (routes: IRouter) => void {
  const { readers, onError } = parts

  /** In the language of the channel; where it is not known, in one that the reader's browser asks for. */
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
      const known = await readers.read(request.params.token)
      if (known === undefined) return notValid(request, response)
      const shows = (await readers.isUnsubscribed(known)) ? 'was-done' : 'question'
      const page: ReaderPage = { shows, ...known, contact: parts.contact() }
      return answer(request, response, { status: 200, page, channel: known.channel })
    })
    routes.post('/unsubscribe/:token', async (request, response) => {
      const known = await readers.read(request.params.token)
      if (known === undefined) return notValid(request, response)
      const { channel } = known
      try {
        await readers.unsubscribe(known)
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
        onError(error)
        response.set('Retry-After', '60')
        return answer(request, response, { status: 503, page: { shows: 'not-stored' }, channel })
      }
      const page: ReaderPage = { shows: 'done', ...known, contact: parts.contact() }
      return answer(request, response, { status: 200, page, channel })
    })
    routes.all('/unsubscribe/:token', (_request, response) => {
      const message = 'This address is opened with GET, and confirmed with POST.'
      response.status(405).set('Allow', 'GET, HEAD, POST')
      response.json({ error: { code: 'METHOD_NOT_ALLOWED', message } })
    })
  }
}
