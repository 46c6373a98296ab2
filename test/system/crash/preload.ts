/**
 * `node --import preload.ts src/main.js serve`: ends its own process with -9 when it comes to a step that a test
 * ordered. The steps are seen from outside, in the calls by which the program leaves itself: of its threads, of HMACs and
 * of answers. The program has no hooks for it.
 *
 * Orders are read from the file CRASH_ORDERS at the start, if there is one, and at SIGUSR2.
 */
import crypto from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import { flushCompileCache, syncBuiltinESMExports } from 'node:module'
import threads from 'node:worker_threads'
import type { Batch } from '../../../src/store/sqlite/engine.ts'
import type { ThreadAnswer, ThreadQuestion } from '../../../src/store/sqlite/thread.ts'
import '../../support/fakes/soon-again.ts'

type Written = 'event' | 'outcome' | 'removal' | 'state' | 'chain' | 'links' | 'drop'
type Operation = 'verify' | 'answer' | 'read configuration' | `write ${Written}`

/** `half`: the thread that writes is in the middle of it, or about to be. `after`: it has ended well. */
export type Step = `${'before' | 'half' | 'after'} ${Operation}`

export interface Orders {
  step: Step
  /** The how manieth time; 1 is the next. */
  hit: number
}

/** Of a commit: by its statements, and what is in their rows. A removal is an outcome too. */
const marks: [Written, statement: RegExp, rows?: string][] = [
  ['event', /insert into bluepencil\.entries/],
  ['removal', /(insert into|update) bluepencil\.outcomes/, 'channel-removed'],
  ['outcome', /update bluepencil\.outcomes[\s\S]*lease = null/],
  ['state', /insert into bluepencil\.state/],
  ['chain', /insert into bluepencil\.chain/],
  ['links', /update bluepencil\.chain/],
  ['drop', /delete from bluepencil\.entries/],
]

let orders: Orders | undefined

function readOrders(): void {
  const path = process.env.CRASH_ORDERS ?? ''
  if (!fs.existsSync(path)) return
  orders = JSON.parse(fs.readFileSync(path, 'utf8')) as Orders
  fs.rmSync(path)
}

function isOrdered(step: Step): boolean {
  if (orders?.step !== step) return false
  orders.hit -= 1
  return orders.hit === 0
}

function reach(step: Step): void {
  if (isOrdered(step)) end()
}

/** The signal ends the process before the next instruction of this thread, or so soon after that the loop is not left. */
function end(): never {
  process.kill(process.pid, 'SIGKILL')
  for (;;);
}

function writtenBy(batch: Batch): Written[] {
  return marks.flatMap(([written, statement, text]) =>
    batch.some(
      (one) => statement.test(one.text) && (text === undefined || JSON.stringify(one.rows).includes(text)),
    )
      ? [written]
      : [],
  )
}

/** What is posted to the thread that writes, and answered by it. */
function watchThreads(): void {
  const { postMessage, emit } = threads.Worker.prototype
  const pending = new WeakMap<threads.Worker, Map<number, Written[]>>()
  Object.assign(threads.Worker.prototype, {
    postMessage(this: threads.Worker, question: ThreadQuestion | 'close') {
      const written =
        question !== 'close' && question.does === 'commit' ? writtenBy(question.given[0] as Batch) : []
      for (const kind of written) reach(`before write ${kind}`)
      Reflect.apply(postMessage, this, [question])
      if (written.some((one) => isOrdered(`half write ${one}`))) {
        // About as long as it takes to write some of it.
        for (const until = performance.now() + Math.random(); performance.now() < until; );
        end()
      }
      if (question === 'close') return
      const questions = pending.get(this) ?? new Map<number, Written[]>()
      pending.set(this, questions.set(question.number, written))
    },
    emit(this: threads.Worker, name: string, answer: ThreadAnswer) {
      const questions = pending.get(this)
      if (name === 'message')
        for (const kind of questions?.get(answer.number) ?? []) reach(`after write ${kind}`)
      return Reflect.apply(emit, this, [name, answer]) as boolean
    },
  })
}

function watchReading(): void {
  const { readFileSync } = fs
  Object.assign(fs, {
    readFileSync(...args: Parameters<typeof readFileSync>) {
      const text = readFileSync(...args)
      if (String(args[0]).endsWith('.yaml')) reach('after read configuration')
      return text
    },
  })
}

/** An HMAC is computed of nothing but of a body that was read. */
function watchCrypto(): void {
  const { createHmac, timingSafeEqual } = crypto
  Object.assign(crypto, {
    createHmac(...args: Parameters<typeof createHmac>) {
      reach('before verify')
      return createHmac(...args)
    },
    timingSafeEqual(...args: Parameters<typeof timingSafeEqual>) {
      const equal = timingSafeEqual(...args)
      if (equal) reach('after verify')
      return equal
    },
  })
}

/** 202 is the answer to a new event and to nothing else. */
function watchAnswers(): void {
  const { end: endResponse } = http.ServerResponse.prototype
  Object.assign(http.ServerResponse.prototype, {
    end(this: http.ServerResponse, ...args: unknown[]) {
      const isAccepted = this.statusCode === 202
      if (isAccepted) reach('before answer')
      const result: unknown = Reflect.apply(endResponse, this, args)
      if (isAccepted) reach('after answer')
      return result
    },
  })
}

// It is loaded in each thread.
if (threads.isMainThread) readOrders()
watchThreads()
watchReading()
watchCrypto()
watchAnswers()
syncBuiltinESMExports()
// Signals are for the main thread.
if (threads.isMainThread)
  process.on('SIGUSR2', () => {
    readOrders()
    // What is killed writes no cache at its end, and the next process would have to compile anew.
    flushCompileCache()
    process.stderr.write('the orders are read\n')
  })
