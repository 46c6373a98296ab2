import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { IRouter, Request, Response } from 'express'
import { bearerOf, notToRead } from '../access/reading.ts'
import { rootAddress } from '../addresses.ts'
import type { ApplicationParts } from '../application.ts'
import { answerNotRead, answerProblem } from '../problem.ts'
import { AlertFilters, askedIn, filterFrom } from '../query.ts'
import { bibtexOf, type CitedAlert, cslOf } from './citation.ts'
import { citedOf } from './citing.ts'
import { fileForms } from './files.ts'
import { type AlertRecord, recordOf } from './record.ts'
import { alertsOf } from './walk.ts'

const citations: Record<string, { type: string; write(cited: CitedAlert): string }> = {
  'citation.json': {
    type: 'application/vnd.citationstyles.csl+json; charset=utf-8',
    write: (cited) => JSON.stringify([cslOf(cited)], null, 2),
  },
  'citation.bib': { type: 'application/x-bibtex; charset=utf-8', write: bibtexOf },
}

/** Adds files of alerts, and how one of them is cited: for who is signed in, or has a token for the API. */
export function addExports(routes: IRouter, parts: ApplicationParts): void {
  const { shown } = parts

  async function mayRead(request: Request, response: Response): Promise<boolean> {
    const { tokens } = shown
    const not = await notToRead(request, bearerOf(request), { ...parts, tokens, use: 'api' })
    if (not !== undefined) answerNotRead(response, not)
    return not === undefined
  }

  async function* recordsOf(
    filters: AlertFilters,
    root: string,
    signal: AbortSignal,
  ): AsyncGenerator<AlertRecord[]> {
    for await (const alerts of alertsOf(filterFrom(filters), shown, signal)) {
      yield alerts.map((one) => recordOf(one, root))
    }
  }

  for (const [ending, { type, write }] of Object.entries(fileForms)) {
    routes.get(`/alerts.${ending}`, async (request, response) => {
      if (!(await mayRead(request, response))) return
      const filters = askedIn(AlertFilters, request)
      const name = `bluepencil-alerts-${new Date(shown.clock.now()).toISOString().slice(0, 10)}.${ending}`
      response.set({
        'Content-Type': type,
        'Content-Disposition': `attachment; filename="${name}"`,
        'Cache-Control': 'private, no-store',
      })
      if (request.method === 'HEAD') return void response.end()
      const gone = new AbortController()
      response.once('close', () => gone.abort())
      const records = recordsOf(filters, rootAddress(request, parts), gone.signal)
      const text = Readable.from(write(records), { highWaterMark: 1 })
      await pipeline(text, response).catch((error: unknown) => {
        // Whoever reads it left, or the service stops: the file ends without its end, and is seen to be cut off.
        if (!gone.signal.aborted) throw error
      })
    })
  }

  for (const [file, { type, write }] of Object.entries(citations)) {
    routes.get(`/alerts/:id/${file}`, async (request, response) => {
      if (!(await mayRead(request, response))) return
      const stored = await shown.control.event(request.params.id)
      if (stored?.entry.kind !== 'alert') {
        const detail = 'It was never here, or is older than the retention.'
        return answerProblem(response, { status: 404, title: 'No such alert is stored', detail })
      }
      const cited = await citedOf(stored.entry, shown)
      response.set({ 'Content-Type': type, 'Cache-Control': 'private, no-cache' }).end(write(cited))
    })
  }
}
