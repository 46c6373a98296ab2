import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Request, Response } from 'express'
import * as z from 'zod'
import { version } from '../../config/version.ts'
import type { Clock } from '../../platform/clock.ts'
import { dayMs } from '../../platform/durations.ts'
import { codebook, dataPackage } from '../../record/export/package.ts'
import type { ExportTableName } from '../../record/export/table-names.ts'
import { csvOf, exportedRecords, jsonLinesOf } from '../../record/export/tables.ts'
import { type AnswerProgram, answerNoAlert } from '../programs.ts'
import { AlertFilters, queryIn } from '../query.ts'
import { rootAddress } from '../request.ts'
import { bibtexOf, citedOf, cslFileOf } from './citation.ts'
import { alertsOf, fileForms } from './files.ts'
import { type AlertRecord, recordsOf } from './record.ts'

/** A file of all alerts, or of those that the address asks for. */
export function exportFile(ending: keyof typeof fileForms): AnswerProgram {
  const { type, write } = fileForms[ending]
  return async (request, response, services) => {
    const { shown } = services
    const filters = queryIn(AlertFilters, request)
    const root = rootAddress(request, services)
    await sendFile({ request, response, type, name: `alerts-${today(shown)}.${ending}` }, (left) =>
      write(alertRecords(left)),
    )
    async function* alertRecords(left: AbortSignal): AsyncGenerator<AlertRecord[]> {
      for await (const alerts of alertsOf(filters, shown, left))
        yield await recordsOf(alerts, root, shown.control)
    }
  }
}

const TableQuery = z.strictObject({
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  model: z.string().max(200).optional(),
  category: z.string().max(200).optional(),
})

const tableForms = {
  csv: { type: 'text/csv; charset=utf-8; header=present', write: csvOf },
  jsonl: {
    type: 'application/jsonl; charset=utf-8',
    write: (_table: ExportTableName, records: Parameters<typeof jsonLinesOf>[0]) => jsonLinesOf(records),
  },
}

/** A table of what is recorded: all of it, or of the days, the model and the category that the address asks for. */
export function tableFile(table: ExportTableName, ending: keyof typeof tableForms): AnswerProgram {
  const { type, write } = tableForms[ending]
  return async (request, response, { shown }) => {
    const { from, to, model, category } = queryIn(TableQuery, request)
    const selection = {
      from: from === undefined ? 0 : Date.parse(from),
      to: to === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(to) + dayMs,
      model,
      category,
    }
    const { events: list, actsAbout, figures } = shown.control
    await sendFile({ request, response, type, name: `${table}-${today(shown)}.${ending}` }, () =>
      write(table, exportedRecords(table, { list, actsAbout, figures }, selection)),
    )
  }
}

/** What the tables are, for readers of data packages (`datapackage.json`) and for people (`codebook.md`). */
export function packageFile(name: 'datapackage.json' | 'codebook.md'): AnswerProgram {
  return async (_request, response, { shown }) => {
    const context = {
      version: version(),
      now: shown.clock.now(),
      from: 'the beginning',
      to: 'now',
      service: shown.config().monitor?.name ?? 'Censorship Monitoring Service',
    }
    const isJson = name === 'datapackage.json'
    const text = isJson ? JSON.stringify(dataPackage(context), null, 2) : codebook(context)
    const type = isJson ? 'application/json; charset=utf-8' : 'text/markdown; charset=utf-8'
    response.set({ 'Content-Type': type, 'Cache-Control': 'private, no-store' }).end(text)
  }
}

function today({ clock }: { clock: Clock }): string {
  return new Date(clock.now()).toISOString().slice(0, 10)
}

interface SentFile {
  request: Request
  response: Response
  type: string
  name: string
}

async function sendFile(
  { request, response, type, name }: SentFile,
  write: (left: AbortSignal) => AsyncIterable<string>,
): Promise<void> {
  response.set({
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="bluepencil-${name}"`,
    'Cache-Control': 'private, no-store',
  })
  if (request.method === 'HEAD') return void response.end()
  const left = new AbortController()
  response.once('close', () => left.abort())
  await pipeline(Readable.from(write(left.signal), { highWaterMark: 1 }), response).catch(
    (error: unknown) => {
      // The reader left, or the service stops: the file ends without its end, and is seen to be cut off.
      if (!left.signal.aborted) throw error
    },
  )
}

const citations = {
  json: {
    type: 'application/vnd.citationstyles.csl+json; charset=utf-8',
    write: cslFileOf,
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
