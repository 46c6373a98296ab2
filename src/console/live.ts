import { randomUUID } from 'node:crypto'
import type { Response } from 'express'

interface LiveViewer {
  since: string | undefined
  /** The session; so many are open for one at most. */
  owner: string
  mayStay(): Promise<boolean>
}

/** Each is a connection; a newsroom has fewer pages open. */
const mostOpen = 100
const mostOfOne = 10
/** A sign of life keeps proxies from closing the connection; milliseconds. */
const signMs = 25_000
const gatherMs = 500

export type LivePages = ReturnType<typeof createLive>

/** Says to the pages that are open that something has changed. */
export function createLive() {
  const viewers = new Map<Response, LiveViewer>()
  let gathering: NodeJS.Timeout | undefined
  let signing: NodeJS.Timeout | undefined
  let isEnded = false
  /** Nothing is known here of another process, or of this one before a restart. */
  const process = randomUUID()
  let changes = 0
  const asOf = () => `${process}.${changes}`
  const changedEvent = () => `event: changed\nid: ${asOf()}\ndata:\n\n`

  function write(text: string): void {
    for (const response of viewers.keys()) {
      // A browser that does not read is disconnected, and comes again.
      if (response.writableNeedDrain) response.destroy()
      else response.write(text)
    }
  }

  function leave(response: Response): void {
    viewers.delete(response)
    if (viewers.size > 0) return
    clearInterval(signing)
    signing = undefined
  }

  /** Ends the answers to people who may not look any more, such as those who signed out. */
  async function verify(): Promise<void> {
    const all = [...viewers].map(async ([response, { mayStay }]) => {
      // While the store cannot be read, nobody is sent away.
      if (!(await mayStay().catch(() => true))) response.end()
    })
    await Promise.all(all)
  }

  return {
    /** Names the changes that a page has which is made now. */
    asOf,
    /** Keeps an answer open, and says at once if there are changes since its page was made; false if too many are open. */
    open(response: Response, viewer: LiveViewer): boolean {
      const { since, owner } = viewer
      const ofOwner = [...viewers.values()].filter((one) => one.owner === owner)
      if (isEnded || viewers.size >= mostOpen || ofOwner.length >= mostOfOne) return false
      response.status(200).set({
        'Content-Type': 'text/event-stream',
        'Cache-Control': 'no-store',
        'X-Accel-Buffering': 'no',
        // Nothing else comes over it: a stop need not wait until it is given up.
        Connection: 'close',
      })
      // The browser comes again after so many milliseconds.
      response.write('retry: 5000\n\n')
      if (since !== undefined && since !== asOf()) response.write(changedEvent())
      viewers.set(response, viewer)
      response.once('close', () => leave(response))
      signing ??= setInterval(() => {
        void verify()
        write(': still here\n\n')
      }, signMs).unref()
      return true
    },
    /** Pages that are made from now on have the change; those that are open get one event for all changes of a moment. */
    changed(): void {
      changes += 1
      gathering ??= setTimeout(() => {
        gathering = undefined
        write(changedEvent())
      }, gatherMs).unref()
    },
    verify,
    /** Ends every answer at once: none holds up a stop. */
    end(): void {
      isEnded = true
      clearTimeout(gathering)
      for (const response of viewers.keys()) response.end()
    },
  }
}
