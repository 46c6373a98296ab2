import { randomUUID } from 'node:crypto'
import type { Response } from 'express'

/** Tells the pages that are open that something has changed. */
export interface LivePages {
  /** Tells which changes a page has that is made now. */
  asOf(): string
  /** Keeps an answer open, and says at once if there are changes since its page was made; false if too many are open. */
  open(response: Response, viewer: LiveViewer): boolean
  /** Something has changed: pages that are made from now on have it. */
  noted(): void
  /** Each page that is open is told, once for all that happens within a moment. */
  tell(): void
  /** Ends the answers to people who may not look any more, such as those who signed out. */
  verify(): Promise<void>
  /** Ends every answer at once: none holds up a stop. */
  end(): void
}

interface LiveViewer {
  since: string | undefined
  /** The session; so many are open for one at most. */
  whose: string
  mayStay(): Promise<boolean>
}

/** Each is a connection; a newsroom has fewer pages open. */
const mostOpen = 100
const mostOfOne = 10
/** So often something is said, so that no proxy takes the connection for dead; milliseconds. */
const signMs = 25_000
const gatherMs = 500

export function createLive(): LivePages {
  const open = new Map<Response, LiveViewer>()
  let gathering: NodeJS.Timeout | undefined
  let signing: NodeJS.Timeout | undefined
  let isEnded = false
  /** Of another process, or of this one before a restart, nothing is known here. */
  const own = randomUUID()
  let changes = 0
  const asOf = () => `${own}.${changes}`
  const changed = () => `event: changed\nid: ${asOf()}\ndata:\n\n`

  function write(text: string): void {
    for (const response of open.keys()) {
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

  async function verify(): Promise<void> {
    const all = [...open].map(async ([response, { mayStay }]) => {
      // While the store cannot be read, nobody is sent away.
      if (!(await mayStay().catch(() => true))) response.end()
    })
    await Promise.all(all)
  }

  return {
    asOf,
    open(response, viewer) {
      const { since, whose } = viewer
      const own = [...open.values()].filter((one) => one.whose === whose)
      if (isEnded || open.size >= mostOpen || own.length >= mostOfOne) return false
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
      open.set(response, viewer)
      response.once('close', () => leave(response))
      signing ??= setInterval(() => {
        void verify()
        write(': still here\n\n')
      }, signMs).unref()
      return true
    },
    noted() {
      changes += 1
    },
    tell() {
      gathering ??= setTimeout(() => {
        gathering = undefined
        write(changed())
      }, gatherMs).unref()
    },
    verify,
    end() {
      isEnded = true
      clearTimeout(gathering)
      for (const response of open.keys()) response.end()
    },
  }
}
