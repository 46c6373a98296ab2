import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type Clock, systemClock } from '../../platform/clock.ts'
import { minuteMs } from '../../platform/durations.ts'
import { DatabaseFailure } from '../sql/failure.ts'
import { StoreRefused } from '../store.ts'
import type { SqliteConnection } from './engine.ts'

/** What a thread is asked. */
export interface ThreadQuestion {
  number: number
  does: Exclude<keyof SqliteConnection, 'close'>
  /** Cloned value by value: as JSON within JSON, a batch took twice as long on its way (measured for 32 and 400 events). */
  given: unknown[]
}

/** What it answers: number 0 when it is open. */
export interface ThreadAnswer {
  number: number
  result?: unknown
  failure?: Pick<DatabaseFailure, 'reason' | 'kind'>
}

interface ThreadOptions {
  folder: string
  mayWrite: boolean
  /** Its threads end and end: a sentence. */
  onLost(sentence: string): void
  clock?: Clock
}

/** So many ends within a minute are too many. */
const mostEnds = 3
const firstRestMs = 100

interface PendingAnswer {
  resolve(result: unknown): void
  reject(error: Error): void
}

/**
 * A connection in a thread of its own. If the thread ends, the result of its queries is unknown. It starts again after a pause, which
 * grows each time; new queries wait for it. Rejects with `StoreRefused` if the store cannot be opened.
 */
export async function threadConnection({
  folder,
  mayWrite,
  onLost,
  clock = systemClock,
}: ThreadOptions): Promise<SqliteConnection> {
  const waiting = new Map<number, PendingAnswer>()
  const ends: number[] = []
  let number = 0
  let isClosing = false
  let current = start()

  function start(): { worker: Worker; opened: Promise<void>; ended: Promise<void> } {
    // Below what was named, Node adds a folder for its version.
    const compiled = getCompileCacheDir()
    const worker = new Worker(new URL('./worker-entry.js', import.meta.url), {
      workerData: { folder, mayWrite, cache: compiled && dirname(compiled) },
    })
    const opened = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    worker.on('message', (answer: ThreadAnswer) => {
      if (answer.number !== 0) return settle(answer)
      if (answer.failure === undefined) opened.resolve()
      else opened.reject(new StoreRefused(answer.failure.reason))
    })
    // `exit` follows.
    worker.on('error', () => undefined)
    worker.on('exit', () => {
      ended.resolve()
      opened.reject(new DatabaseFailure('a thread of the store ended', 'undone'))
      if (current.worker === worker && !isClosing) lose()
    })
    opened.promise.catch(() => undefined)
    return { worker, opened: opened.promise, ended: ended.promise }
  }

  function settle({ number: of, result, failure }: ThreadAnswer): void {
    const query = waiting.get(of)
    waiting.delete(of)
    if (failure === undefined) query?.resolve(result)
    else query?.reject(new DatabaseFailure(failure.reason, failure.kind))
  }

  function lose(): void {
    const lost = [...waiting.values()]
    waiting.clear()
    ends.push(clock.now())
    const recent = ends.filter((at) => at > clock.now() - minuteMs)
    const rested = clock.sleep(firstRestMs * 2 ** (recent.length - 1))
    const next = rested.then(() => (isClosing ? undefined : start()))
    const opened = next.then((one) => one?.opened)
    opened.catch(() => undefined)
    current = { ...current, opened, ended: Promise.resolve() }
    void next.then((one) => {
      if (one !== undefined) current = one
    })
    if (recent.length >= mostEnds) {
      onLost(`the thread that works on the store in ${folder} ended ${recent.length} times within a minute`)
    }
    for (const query of lost)
      query.reject(new DatabaseFailure('the thread that has the store ended before it answered', 'unknown'))
  }

  function asking<Does extends ThreadQuestion['does']>(does: Does): SqliteConnection[Does] {
    const ask = async (...given: unknown[]) => {
      await current.opened
      return await new Promise((resolve, reject) => {
        number += 1
        waiting.set(number, { resolve, reject })
        current.worker.postMessage({ number, does, given } satisfies ThreadQuestion)
      })
    }
    return ask as SqliteConnection[Does]
  }

  await current.opened
  return {
    read: asking('read'),
    commit: asking('commit'),
    copyTo: asking('copyTo'),
    document: asking('document'),
    async close() {
      isClosing = true
      await current.opened.catch(() => undefined)
      current.worker.postMessage('close')
      await current.ended
    },
  }
}
