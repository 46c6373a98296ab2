import { stat } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { plain } from '../../platform/text.ts'
import type { MonitorClient } from '../../service/client/client.ts'
import type { Downloaded } from '../../service/client/endpoints/download.ts'
import { MonitorError, NotFound } from '../../service/client/errors.ts'
import { CommandFailure } from '../failure.ts'
import type { Terminal } from '../terminal.ts'
import { fileName } from './file-name.ts'
import { bytesText } from './numbers.ts'
import { type DownloadProgress, type ProgressScreen, showProgress } from './progress.ts'
import { type MonitorOptions, serviceOf } from './service.ts'

export interface DownloadCommand extends MonitorOptions {
  /** A file, or `-` for standard output. */
  output?: string
  /** Whether a file that is there may be replaced. */
  force?: boolean
}

/** The process's own streams: a dataset is bytes, and `Terminal` takes text. */
export interface ProcessStreams {
  stdout: Writable & { isTTY?: boolean }
  stderr: ProgressScreen
}

export async function download(
  id: string,
  options: DownloadCommand,
  terminal: Terminal,
  { stdout, stderr }: ProcessStreams = process,
): Promise<void> {
  const { client } = serviceOf(options)
  const progress = showProgress(stderr, () => performance.now())
  if (options.output === '-') {
    if (stdout.isTTY) {
      const why = 'standard output is a terminal, which would obey what a dataset may hold'
      throw new CommandFailure(`${why}; redirect it, or name a file with --output`, 2)
    }
    terminal.note(`${said('standard output', await fetched(client, id, stdout, progress))}\n`)
    return
  }
  const path = options.output ?? fileName(id, await formatOf(client, id))
  await refuseToReplace(path, options.force === true)
  terminal.out(`${said(path, await fetched(client, id, path, progress))}\n`)
}

async function fetched(
  client: MonitorClient,
  id: string,
  to: string | Writable,
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

/** As the list of datasets has it; `null` where it cannot be had, which is no reason not to download. */
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
  const there = await stat(path).catch(() => undefined)
  if (there === undefined) return
  if (there.isDirectory()) throw new CommandFailure(`${path} is a folder; name a file in it with --output`, 2)
  if (!there.isFile())
    throw new CommandFailure(`${path} is no plain file; write --output - and redirect it`, 2)
  if (!force)
    throw new CommandFailure(`${path} is there already; --force replaces it, --output names another`, 2)
}

function said(where: string, { bytes, resumedAt }: Downloaded): string {
  const resumed = resumedAt === 0 ? '' : `; ${bytesText(resumedAt)} were there from an earlier try`
  return `${where}: ${bytesText(bytes)}${resumed}`
}
