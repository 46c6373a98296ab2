import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type AnswerProgram, answerNoAlert } from '../programs.ts'
import { AlertFilters, queryIn } from '../query.ts'
import { rootAddress } from '../request.ts'
import { bibtexOf, citedOf, cslOf } from './citation.ts'
import { alertsOf, fileForms } from './files.ts'
import { type AlertRecord, recordOf } from './record.ts'

/** A file of all alerts, or of those that the address asks for. */
export function exportFile(ending: keyof typeof fileForms): AnswerProgram {
  const { type, write } = fileForms[ending]
  return async (request, response, services) => {
    const { shown } = services
    const filters = queryIn(AlertFilters, request)
    const name = `bluepencil-alerts-${new Date(shown.clock.now()).toISOString().slice(0, 10)}.${ending}`
    response.set({
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'private, no-store',
    })
    if (request.method === 'HEAD') return void response.end()
    const left = new AbortController()
    response.once('close', () => left.abort())
    const root = rootAddress(request, services)
    async function* records(): AsyncGenerator<AlertRecord[]> {
      for await (const alerts of alertsOf(filters, shown, left.signal)) {
        yield alerts.map((one) => recordOf(one, root))
      }
    }
    await pipeline(Readable.from(write(records()), { highWaterMark: 1 }), response).catch(
      (error: unknown) => {
        // The reader left, or the service stops: the file ends without its end, and is seen to be cut off.
        if (!left.signal.aborted) throw error
      },
    )
  }
}

const citations = {
  json: {
    type: 'application/vnd.citationstyles.csl+json; charset=utf-8',
    write: (cited: Parameters<typeof cslOf>[0]) => JSON.stringify([cslOf(cited)], null, 2),
  },
  bib: { type: 'application/x-bibtex; charset=utf-8', write: bibtexOf },
}

/** How an alert is cited. */
export function citation(ending: keyof typeof citations): AnswerProgram {
  const { type, write } = citations[ending]
  return async (request, response, { shown }) => {
    const stored = await shown.control.event(String(request.params.id))
    if (stored?.entry.kind !== 'alert') return answerNoAlert(response)
    const cited = await citedOf(stored.entry, shown)
    response.set({ 'Content-Type': type, 'Cache-Control': 'private, no-cache' }).end(write(cited))
  }
}
