import type { Writable } from 'node:stream'
import { Unintelligible, Unreachable } from '../errors.ts'
import { failureOf } from '../http/failure.ts'
import { place, type ServiceConnection, segment } from '../http/request.ts'
import { withRetries } from '../http/retry.ts'
import { openSource } from './download-source.ts'
import { fileTarget, streamTarget } from './download-target.ts'

export interface DownloadOptions {
  /** A file's path, or a stream such as standard output, which is not ended. */
  to: string | Writable
  /** Called after each piece: bytes so far, those of an earlier run included, and bytes in all, if known. */
  onProgress?: ((bytes: number, total: number | null) => void) | undefined
  /** A longer download is given up with `Unintelligible`. */
  mostBytes?: number | undefined
  signal?: AbortSignal | undefined
}

export interface Downloaded {
  /** Of the whole. */
  bytes: number
  /** Where this run began: above 0, it continued an earlier one. */
  resumedAt: number
  contentType: string | null
}

/**
 * A dataset, as it comes, to a file or a stream. A file has its name only when it is whole. A cut connection is resumed,
 * if the service has ranges. There is no limit on the time, only on silence.
 */
export async function download(
  connection: ServiceConnection,
  id: string,
  options: DownloadOptions,
): Promise<Downloaded> {
  const path = `/research/datasets/${segment(id)}/download`
  const { address, callName } = place(connection.baseUrl, { method: 'GET', path })
  const { to, onProgress, mostBytes = Number.POSITIVE_INFINITY, signal: cancelled } = options
  const target = typeof to === 'string' ? fileTarget(to, address.href) : streamTarget(to)
  let resumedAt: number | undefined

  async function attempt(silence: SilenceTimer): Promise<Downloaded> {
    const signal = cancelled === undefined ? silence.signal : AbortSignal.any([silence.signal, cancelled])
    const held = await target.held()
    const source = await openSource(connection, { path, address, callName }, held, { signal, cancelled })
    if (source === 'complete') {
      await target.finish()
      const bytes = held?.bytes ?? 0
      resumedAt ??= bytes
      return { bytes, resumedAt, contentType: null }
    }
    const { start, total, contentType } = source
    const checkLength = (length: number) => {
      if (length <= mostBytes) return
      throw new Unintelligible(`${callName} has more than ${mostBytes} bytes, the most that is allowed.`)
    }
    checkLength(total ?? 0)
    silence.pause()
    await target.begin(start, source.validator)
    resumedAt ??= start
    let bytes = start
    silence.restart()
    for await (const chunk of source.chunks) {
      silence.pause()
      bytes += chunk.byteLength
      checkLength(bytes)
      await target.write(chunk)
      onProgress?.(bytes, total)
      silence.restart()
    }
    silence.pause()
    if (total !== null && bytes !== total) {
      throw new Unreachable(`${callName} ended after ${bytes} of ${total} bytes.`, { timedOut: false })
    }
    await target.finish()
    return { bytes, resumedAt, contentType }
  }

  try {
    return await withRetries(connection, { repeatable: true, signal: cancelled }, async () => {
      const { timeoutMs, credential } = connection
      const silence = createSilenceTimer(timeoutMs)
      try {
        return await attempt(silence)
      } catch (error) {
        const waitedMs = silence.signal.aborted ? timeoutMs : undefined
        throw failureOf(error, callName, credential.secrets(), waitedMs)
      } finally {
        silence.end()
      }
    })
  } finally {
    await target.leave()
  }
}

type SilenceTimer = ReturnType<typeof createSilenceTimer>

/** Aborts after a silence of so long; the time of our own disk or reader does not count. */
function createSilenceTimer(milliseconds: number) {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const pause = () => clearTimeout(timer)
  const restart = () => {
    pause()
    timer = setTimeout(() => controller.abort(), milliseconds)
  }
  restart()
  return {
    signal: controller.signal,
    pause,
    restart,
    /** Also releases what was not read to its end. */
    end() {
      pause()
      controller.abort()
    },
  }
}
