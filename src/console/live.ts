import { randomUUID } from 'node:crypto'
import type { Response } from 'express'

/** Tells the pages that are open that something has changed. */
export interface Live {
  /** Tells which changes a page has that is made now. */
  asOf(): string
  /** Keeps an answer open, and says at once where there are changes since its page was made; false where too many are open. */
  open(response: Response, since: string | undefined): boolean
  /** Whether anybody has a page open. */
  isWatched(): boolean
  /** Something has changed: pages that are made from now on have it. */
  noted(): void
  /** Each page that is open is told, once for all that happens within a moment. */
  tell(): void
  /** Ends every answer at once: none holds up a stop. */
  end(): void
}

/** Each is a connection; a newsroom has fewer pages open. */
const mostOpen = 100
/** So often something is said, so that no proxy takes the connection for dead; milliseconds. */
const signMs = 25_000
const gatherMs = 500

export function createLive(): Live {
  const open = new Set<Response>()
  let gathering: NodeJS.Timeout | undefined
  let signing: NodeJS.Timeout | undefined
  let isEnded = false
  /** Of another process, or of this one before a restart, nothing is known here. */
  const own = randomUUID()
  let changes = 0
  const asOf = () => `${own}.${changes}`
  const changed = () => `event: changed\nid: ${asOf()}\ndata:\n\n`

  function write(text: string): void {
    for (const response of open) {
      // Whoever does not read is let go, and comes again.
      if (response.writableNeedDrain) response.destroy()
      else response.write(text)
    }
  }

  function leave(response: Response): void {
    open.delete(response)
    if (open.size > 0) return
    clearInterval(signing)
    signing = undefined
  }

  return {
    asOf,
    open(response, since) {
      if (isEnded || open.size >= mostOpen) return false
      response.status(200).set({
        'Content-Type': 'text/event-stream',
        'Cache-Control': 'no-store',
        'X-Accel-Buffering': 'no',
        // Nothing else comes over it: a stop need not wait until it is given up.
        Connection: 'close',
      })
      // The browser comes again after so many milliseconds.
      response.write('retry: 5000\n\n')
      if (since !== undefined && since !== asOf()) response.write(changed())
      open.add(response)
      response.once('close', () => leave(response))
      signing ??= setInterval(() => write(': still here\n\n'), signMs).unref()
      return true
    },
    isWatched: () => open.size > 0,
    noted() {
      changes += 1
    },
    tell() {
      gathering ??= setTimeout(() => {
        gathering = undefined
        write(changed())
      }, gatherMs).unref()
    },
    end() {
      isEnded = true
      clearTimeout(gathering)
      for (const response of open) response.end()
    },
  }
}
