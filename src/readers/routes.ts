import type { IRouter, Response } from 'express'
import { StoreUnavailable } from '../store/store.ts'
import { htmlOf, type Page, pageHeaders } from './page.ts'
import type { KeptReaders } from './readers.ts'

interface RoutesParts {
  readers: Pick<KeptReaders, 'read' | 'isUnsubscribed' | 'unsubscribe'>
  /** Whom readers write to; undefined where no mail is configured any more. */
  contact(): string | undefined
  onError(error: unknown): void
}

/**
 * The way out for readers of mail. GET asks, and changes nothing: scanners and previews follow links. POST does it,
 * whether the page's button or the mail program sends it (RFC 8058); its body says nothing more, and is not read.
 */
export function unsubscribing({ readers, contact, onError }: RoutesParts): (routes: IRouter) => void {
  async function about(token: string) {
    const subscription = await readers.read(token)
    return subscription && { ...subscription, contact: contact() ?? 'the sender of the mail' }
  }

  return (routes) => {
    routes.get('/unsubscribe/:token', async (request, response) => {
      const known = await about(request.params.token)
      if (known === undefined) return answer(response, 404, { shows: 'not-valid', contact: contact() })
      const shows = (await readers.isUnsubscribed(known)) ? 'was-done' : 'question'
      answer(response, 200, { shows, ...known })
    })
    routes.post('/unsubscribe/:token', async (request, response) => {
      const known = await about(request.params.token)
      if (known === undefined) return answer(response, 404, { shows: 'not-valid', contact: contact() })
      try {
        await readers.unsubscribe({ channel: known.channel, address: known.address })
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
        onError(error)
        response.set('Retry-After', '60')
        return answer(response, 503, { shows: 'not-stored' })
      }
      answer(response, 200, { shows: 'done', ...known })
    })
    routes.all('/unsubscribe/:token', (_request, response) => {
      const message = 'This address is opened with GET, and confirmed with POST.'
      response.status(405).set('Allow', 'GET, HEAD, POST')
      response.json({ error: { code: 'METHOD_NOT_ALLOWED', message } })
    })
  }
}

function answer(response: Response, status: number, page: Page): void {
  response.status(status).set(pageHeaders).send(htmlOf(page))
}
