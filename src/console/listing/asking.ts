import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Answer, Asked, Tables } from './tables.ts'

/** The file of lists was damaged. There is another, which has nothing yet. */
export class BegunAnew extends Error {
  override readonly name = 'BegunAnew'
}

interface Waiting {
  resolve(answer: unknown): void
  reject(error: Error): void
}

/** Asks the thread that has the file; where it has died, another is begun at the next question. */
export function askThread(path: string): { asked: Asked; close(): Promise<void> } {
  const waiting = new Map<number, Waiting>()
  let thread: Worker | undefined
  let number = 0

  function begun(): Worker {
    // .ts in a checkout, .js in the package.
    const url = new URL(`./thread${extname(import.meta.url)}`, import.meta.url)
    const one = new Worker(url, { workerData: path })
    one.on('message', (answer: Answer) => settle(answer))
    one.on('error', (error) => gone(one, error instanceof Error ? error : new Error(String(error))))
    one.on('exit', () => gone(one, new Error('the thread that has the lists has ended')))
    return one
  }

  function settle(answer: Answer): void {
    const asked = waiting.get(answer.number)
    waiting.delete(answer.number)
    if ('answer' in answer) asked?.resolve(answer.answer)
    else if (answer.isAnew)
      asked?.reject(new BegunAnew('the file of lists was damaged', { cause: answer.error }))
    else asked?.reject(answer.error)
  }

  function gone(one: Worker, error: Error): void {
    if (thread !== one) return
    thread = undefined
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }

  function ask<Name extends keyof Tables>(name: Name) {
    return (...given: Parameters<Tables[Name]>): Promise<ReturnType<Tables[Name]>> => {
      thread ??= begun()
      number += 1
      const answer = Promise.withResolvers<ReturnType<Tables[Name]>>()
      waiting.set(number, answer)
      thread.postMessage({ number, name, given })
      return answer.promise
    }
  }

  return {
    asked: {
      put: ask('put'),
      remove: ask('remove'),
      clear: ask('clear'),
      through: ask('through'),
      isThrough: ask('isThrough'),
      newest: ask('newest'),
      open: ask('open'),
      oldest: ask('oldest'),
      page: ask('page'),
      failed: ask('failed'),
    },
    async close() {
      if (thread === undefined) return
      const ended = once(thread, 'exit')
      thread.postMessage('close')
      await ended
    },
  }
}
