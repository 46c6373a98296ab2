import { type FileHandle, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'
import * as z from 'zod'
import { NotWritten, Unintelligible } from '../errors.ts'
import { errorCode } from '../http/failure.ts'
import type { PartialDownload } from './download-source.ts'

/** Where a download goes. Everything rejects with `NotWritten` if it cannot go there. */
export interface DownloadTarget {
  held(): Promise<PartialDownload | undefined>
  /** What follows are the bytes from `start` on. */
  begin(start: number, validator: string | null): Promise<void>
  write(chunk: Uint8Array): Promise<void>
  /** It is whole. */
  finish(): Promise<void>
  /** It is not, for now or for ever. */
  leave(): Promise<void>
}

const Beginning = z.object({ source: z.string(), validator: z.string() })

/**
 * A file, under its own name only when it is whole and on disk. Until then it is NAME.part, and NAME.part.json beside
 * it names the source and its validator, so another run can continue. `source`: what is downloaded.
 */
export function fileTarget(path: string, source: string): DownloadTarget {
  const part = `${path}.part`
  const note = `${part}.json`
  let file: FileHandle | undefined
  let at = 0

  async function whole(): Promise<void> {
    await file?.sync()
    await file?.close()
    file = undefined
    await rename(part, path)
    await rm(note, { force: true })
    const folder = await open(dirname(path))
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  }

  return {
    async held() {
      if ((await stat(path).catch(() => undefined))?.isDirectory())
        throw notWritten(path, new Error('it is a folder'))
      try {
        const begun = Beginning.parse(JSON.parse(await readFile(note, 'utf8')))
        const { size } = await stat(part)
        return begun.source === source && size > 0 ? { bytes: size, validator: begun.validator } : undefined
      } catch {
        return undefined
      }
    },
    begin: (start, validator) =>
      guarded(path, async () => {
        await file?.close()
        // Without a validator we cannot verify that the rest belongs to it.
        if (validator === null) await rm(note, { force: true })
        else await writeFile(note, JSON.stringify({ source, validator }))
        file = await open(part, start === 0 ? 'w' : 'r+')
        await file.truncate(start)
        at = start
      }),
    write: (chunk) =>
      guarded(path, async () => {
        for (let done = 0; done < chunk.byteLength; ) {
          const written = await file?.write(chunk, done, chunk.byteLength - done, at)
          done += written?.bytesWritten ?? chunk.byteLength
          at += written?.bytesWritten ?? 0
        }
      }),
    finish: () => guarded(path, whole),
    async leave() {
      await file?.close().catch(() => undefined)
      file = undefined
    },
  }
}

/** A stream, such as standard output; it is not ended. What is written there stays. */
export function streamTarget(stream: Writable): DownloadTarget {
  let written = 0
  let validator: string | null = null
  /** Bytes that came before and come again. */
  let skip = 0
  // Each write rejects with its own failure; an event without a listener would end the process.
  const ignore = () => undefined
  stream.on('error', ignore)
  return {
    held: async () => (written === 0 ? undefined : { bytes: written, validator }),
    async begin(start, next) {
      if (start < written && (validator === null || next !== validator)) {
        throw new Unintelligible(
          `The download broke off after ${written} bytes, and the service cannot resume it there. Download it to a file instead.`,
        )
      }
      skip = written - start
      validator = next
    },
    async write(chunk) {
      const fresh = chunk.subarray(Math.min(skip, chunk.byteLength))
      skip -= chunk.byteLength - fresh.byteLength
      if (fresh.byteLength === 0) return
      await guarded('the output', () => {
        const { promise, resolve, reject } = Promise.withResolvers<void>()
        stream.write(fresh, (error) => (error ? reject(error) : resolve()))
        return promise
      })
      written += fresh.byteLength
    },
    finish: async () => undefined,
    async leave() {
      const stopIgnoring = () => void stream.off('error', ignore)
      // The failure of a write is an event, too, before the stream closes.
      if (stream.errored === null || stream.closed) stopIgnoring()
      else stream.once('close', stopIgnoring)
    },
  }
}

async function guarded(where: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw notWritten(where, error)
  }
}

function notWritten(where: string, cause: unknown): NotWritten {
  const reason = errorCode(cause) ?? (cause instanceof Error ? cause.message : String(cause))
  return new NotWritten(`The download cannot be written to ${where} (${reason}).`, { cause })
}
