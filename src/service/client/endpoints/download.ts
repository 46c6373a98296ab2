import type { Writable } from 'node:stream'
import { Unintelligible, Unreachable } from '../errors.ts'
import type { ServiceConnection } from '../http/connection.ts'
import { place, segment } from '../http/request.ts'
import { withRetries } from '../http/retry.ts'
import { failureOf } from '../http/send.ts'
import { openSource } from './download-source.ts'
import { type DownloadTarget, fileTarget, streamTarget } from './download-target.ts'

export interface DownloadOptions {
  /** A file's path, or a stream such as standard output, which is not ended. */
  to: string | Writable
  /** Told after each piece: bytes so far, those of an earlier run included, and of how many, where that is known. */
  onProgress?: ((bytes: number, total: number | null) => void) | undefined
  /** What is longer is given up with `Unintelligible`. */
  mostBytes?: number | undefined
  signal?: AbortSignal | undefined
}

export interface Downloaded {
  /** Of the whole. */
  bytes: number
  /** Where this run began: above 0, it went on where an earlier one had ended. */
  resumedAt: number
  contentType: string | null
}

/**
 * A dataset, as it comes, to a file or a stream. A file has its name only when it is whole; a connection that is
 * cut is taken up where it ended, as far as the service has ranges. There is no limit on the time, only on silence.
 */
export async function download(
  connection: ServiceConnection,
  id: string,
  options: DownloadOptions,
): Promise<Downloaded> {
  const path = `/research/datasets/${segment(id)}/download`
  const { address, asked } = place(connection.baseUrl, { method: 'GET', path })
  const { to, signal } = options
  const target = typeof to === 'string' ? fileTarget(to, address.href) : streamTarget(to)
  let resumedAt: number | undefined
  try {
    return await withRetries(connection, { repeatable: true, signal }, async () => {
      const begun = (start: number) => {
        resumedAt ??= start
      }
      const done = await attempt({ connection, id, asked, target, options, begun })
      return { ...done, resumedAt: resumedAt ?? 0 }
    })
  } finally {
    await target.leave()
  }
}

interface DownloadAttempt {
  connection: ServiceConnection
  id: string
  asked: string
  target: DownloadTarget
  options: DownloadOptions
  begun: (start: number) => void
}

async function attempt({
  connection,
  id,
  asked,
  target,
  options,
  begun,
}: DownloadAttempt): Promise<Omit<Downloaded, 'resumedAt'>> {
  const { onProgress, mostBytes = Number.POSITIVE_INFINITY, signal: cancelled } = options
  const { timeoutMs, credential } = connection
  const silence = patience(timeoutMs)
  const signal = cancelled === undefined ? silence.signal : AbortSignal.any([silence.signal, cancelled])
  const tooLong = () =>
    new Unintelligible(`${asked} has more than ${mostBytes} bytes, which is more than was allowed.`)
  try {
    const held = await target.held()
    const source = await openSource(connection, id, held, { signal, cancelled })
    if (source === 'complete') {
      await target.finish()
      begun(held?.bytes ?? 0)
      return { bytes: held?.bytes ?? 0, contentType: null }
    }
    const { start, total } = source
    if ((total ?? 0) > mostBytes) throw tooLong()
    silence.pause()
    await target.begin(start, source.validator)
    begun(start)
    let bytes = start
    silence.goOn()
    for await (const chunk of source.chunks) {
      silence.pause()
      bytes += chunk.byteLength
      if (bytes > mostBytes) throw tooLong()
      await target.write(chunk)
      onProgress?.(bytes, total)
      silence.goOn()
    }
    silence.pause()
    if (total !== null && bytes !== total) {
      throw new Unreachable(`${asked} ended after ${bytes} of ${total} bytes.`, { timedOut: false })
    }
    await target.finish()
    return { bytes, contentType: source.contentType }
  } catch (error) {
    const waited = silence.signal.aborted ? timeoutMs : undefined
    throw failureOf(error, asked, credential.secrets(), waited)
  } finally {
    silence.end()
  }
}

/** Aborts when nothing was heard for so long; what our own disk or reader takes does not count. */
function patience(milliseconds: number) {
  const end = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const pause = () => clearTimeout(timer)
  const goOn = () => {
    pause()
    timer = setTimeout(() => end.abort(), milliseconds)
  }
  goOn()
  return {
    signal: end.signal,
    pause,
    goOn,
    /** Also lets go of what was not read to its end. */
    end() {
      pause()
      end.abort()
    },
  }
}
