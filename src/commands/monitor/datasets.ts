import { stat } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { plain } from '../../platform/text.ts'
import type { MonitorClient } from '../../service/client/client.ts'
import type { Downloaded } from '../../service/client/endpoints/download.ts'
import type { Dataset } from '../../service/client/endpoints/research.ts'
import { MonitorError, NotFound } from '../../service/client/errors.ts'
import { CommandFailure } from '../failure.ts'
import { tableText } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { absent, bytesText, countText, dayText } from './numbers.ts'
import { csvOf, write } from './output.ts'
import { gather, type MonitorOptions, serviceOf } from './service.ts'

export async function datasets(options: MonitorOptions, terminal: Terminal): Promise<void> {
  const { client } = await serviceOf(options)
  const all = await gather(client.datasets(), terminal)
  write(options, terminal, {
    json: () => ({ datasets: all }),
    csv: () => datasetsCsv(all),
    text: () => datasetsText(all, terminal),
  })
}

function datasetsCsv(all: readonly Dataset[]): string {
  return csvOf(all, {
    id: ({ id }) => id,
    title: ({ title }) => title,
    description: ({ description }) => description,
    format: ({ format }) => format,
    bytes: ({ bytes }) => bytes,
    records: ({ records }) => records,
    updated_at: ({ updatedAt }) => updatedAt,
  })
}

function datasetsText(all: readonly Dataset[], terminal: Terminal): string {
  if (all.length === 0) return 'The service has no datasets.\n'
  const rows = all.map(({ id, title, format, bytes, records, updatedAt }) => [
    id,
    title ?? absent,
    format ?? absent,
    bytesText(bytes),
    countText(records),
    dayText(updatedAt),
  ])
  const table = tableText(
    [
      { head: 'id' },
      { head: 'title', long: true },
      { head: 'format', long: true },
      { head: 'size', align: 'right' },
      { head: 'records', align: 'right', spare: true },
      { head: 'updated', spare: true },
    ],
    rows,
    terminal,
  )
  return `${table}To download one: bluepencil monitor download ID\n`
}

export interface DownloadCommand extends MonitorOptions {
  /** A file, or `-` for standard output. */
  output?: string
  /** Whether a file that is there may be replaced. */
  force?: boolean
}

/** Writes to the process’s own streams: a dataset is bytes, and `Terminal` accepts text. */
export async function download(
  id: string,
  options: DownloadCommand,
  terminal: Terminal,
  { stdout, stderr }: { stdout: Writable & { isTTY?: boolean }; stderr: ProgressScreen } = process,
): Promise<void> {
  const { client } = await serviceOf(options)
  const progress = showProgress(stderr, () => performance.now())
  if (options.output === '-') {
    if (stdout.isTTY) {
      const why = 'standard output is a terminal, and control characters in a dataset could harm it'
      throw new CommandFailure(`${why}; redirect it, or name a file with --output`, 2)
    }
    terminal.note(resultText('standard output', await downloadTo(stdout, client, id, progress)))
    return
  }
  const path = options.output ?? fileName(id, await formatOf(client, id))
  await refuseToReplace(path, options.force === true)
  terminal.out(resultText(path, await downloadTo(path, client, id, progress)))
}

async function downloadTo(
  to: string | Writable,
  client: MonitorClient,
  id: string,
  progress: DownloadProgress,
): Promise<Downloaded> {
  try {
    return await client.download(id, { to, onProgress: (bytes, total) => progress.at(bytes, total) })
  } catch (error) {
    if (!(error instanceof NotFound)) throw error
    const message = `the service has no dataset ${plain(id)}; bluepencil monitor datasets lists them`
    throw new CommandFailure(message, 1, error)
  } finally {
    progress.end()
  }
}

/** As the list of datasets has it; `null` if it cannot be had, which is no reason not to download. */
async function formatOf(client: MonitorClient, id: string): Promise<string | null> {
  try {
    for await (const dataset of client.datasets()) if (dataset.id === id) return dataset.format
    return null
  } catch (error) {
    if (error instanceof MonitorError) return null
    throw error
  }
}

async function refuseToReplace(path: string, force: boolean): Promise<void> {
  const present = await stat(path).catch(() => undefined)
  if (present === undefined) return
  if (present.isDirectory())
    throw new CommandFailure(`${path} is a folder; name a file in it with --output`, 2)
  if (!present.isFile())
    throw new CommandFailure(`${path} is not a regular file; write --output - and redirect it`, 2)
  if (!force)
    throw new CommandFailure(
      `${path} exists already; use --force to replace it, or --output for another file`,
      2,
    )
}

function resultText(where: string, { bytes, resumedAt }: Downloaded): string {
  const resumed = resumedAt === 0 ? '' : `; ${bytesText(resumedAt)} were already downloaded`
  return `${where}: ${bytesText(bytes)}${resumed}\n`
}

/** What a dataset may be called behind its dot; anything else the service says is not taken. */
const extensions = ['csv', 'tsv', 'json', 'jsonl', 'ndjson', 'parquet', 'xlsx', 'xml', 'zip', 'gz', 'txt']
const longest = 100

/**
 * A name in this folder for a dataset. No id makes it a path, a hidden file or an option. `format` is as the service
 * writes it, `csv` or `text/csv`.
 */
export function fileName(id: string, format: string | null): string {
  const safe = id
    .replace(/[^\p{L}\p{N}._-]+/gu, '_')
    .replace(/^[._-]+/, '')
    .slice(0, longest)
    .toWellFormed()
  const name = safe === '' ? 'dataset' : safe
  const extension = /[^/.+]*$/.exec(format?.trim().toLowerCase() ?? '')?.[0] ?? ''
  return extensions.includes(extension) && !name.toLowerCase().endsWith(`.${extension}`)
    ? `${name}.${extension}`
    : name
}

/** Where a person sees it: standard error. */
export interface ProgressScreen {
  isTTY?: boolean
  columns?: number
  write(text: string): unknown
}

const barWidth = 24
/** Milliseconds between two drawings. */
const everyMs = 100
const clear = '\r\u001b[K'

interface DownloadProgress {
  /** Bytes so far, and of how many. */
  at(bytes: number, total: number | null): void
  /** Takes the line away. */
  end(): void
}

/** One line that is drawn again and again, on a terminal only. `now` in milliseconds. */
export function showProgress(screen: ProgressScreen, now: () => number): DownloadProgress {
  if (screen.isTTY !== true) return { at() {}, end() {} }
  let first: { bytes: number; at: number } | undefined
  let drawn = -Infinity
  return {
    at(bytes, total) {
      const at = now()
      // What an earlier run had fetched was not fetched now.
      first ??= { bytes, at }
      if (at - drawn < everyMs) return
      drawn = at
      const perSecond = at > first.at ? ((bytes - first.bytes) / (at - first.at)) * 1_000 : null
      screen.write(`${clear}${progressLine(bytes, total, perSecond).slice(0, (screen.columns ?? 80) - 1)}`)
    },
    end() {
      if (drawn !== -Infinity) screen.write(clear)
    },
  }
}

/** `perSecond`: bytes; `null` while it is not known. */
export function progressLine(bytes: number, total: number | null, perSecond: number | null): string {
  const speed = perSecond === null ? '' : `  ${bytesText(Math.round(perSecond))}/s`
  if (total === null || total === 0) return `${bytesText(bytes)}${speed}`
  const share = Math.min(bytes / total, 1)
  const full = Math.floor(share * barWidth)
  const bar = `${'█'.repeat(full)}${'░'.repeat(barWidth - full)}`
  return `${bar} ${String(Math.floor(share * 100)).padStart(3)}%  ${bytesText(bytes)} of ${bytesText(total)}${speed}`
}
