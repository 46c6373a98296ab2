/**
 * `node --import preload.ts src/main.js serve`: ends its own process with -9 when it comes to a step that a test
 * ordered. The steps are seen from outside, in the calls by which the program leaves itself: of files, of HMACs and
 * of answers. The program has no hooks for it.
 *
 * Orders are read from the file CRASH_ORDERS at the start, where there is one, and at SIGUSR2.
 */
import crypto from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import { flushCompileCache, syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'
import '../../support/fakes/soon-again.ts'

type Line = 'event' | 'outcome' | 'removal'
type File = 'journal' | 'sealed file' | 'ids' | 'state' | 'chain'
type Operation =
  | 'verify'
  | 'answer'
  | 'read configuration'
  | `write ${Line}`
  | `${'write' | 'replace' | 'remove'} ${File}`

/** `half`: the first half of what is written is in the file. `after`: it has ended well. */
export type Step = `${'before' | 'half' | 'after'} ${Operation}`

export interface Orders {
  step: Step
  /** The how manieth time; 1 is the next. */
  hit: number
}

const files: [File, RegExp][] = [
  ['journal', /^\d+\.journal$/],
  ['sealed file', /^\d+\.json(\.new)?/],
  ['ids', /^\d+\.ids(\.new)?/],
  ['state', /^state\.json/],
  ['chain', /^chain\.journal(\.new)?$/],
]
const lines: [Line, string][] = [
  ['event', '"op":"accept"'],
  ['removal', '"rule":"channel-removed"'],
  ['outcome', '"op":"settle"'],
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

function fileOf(path: unknown): File | undefined {
  return files.find(([, pattern]) => pattern.test(basename(String(path))))?.[0]
}

/** Of a commit, whatever it holds. A removal is an outcome too. */
function linesOf(bytes: Uint8Array): Line[] {
  const text = Buffer.from(bytes).toString('utf8')
  return lines.filter(([, mark]) => text.includes(mark)).map(([line]) => line)
}

function watchJournal(handle: fs.promises.FileHandle): void {
  const write = handle.write.bind(handle)
  Object.assign(handle, {
    async write(bytes: Uint8Array, offset: number, length: number, position: number) {
      const written = linesOf(bytes.subarray(offset, offset + length))
      for (const line of written) reach(`before write ${line}`)
      if (written.some((line) => isOrdered(`half write ${line}`))) {
        await write(bytes, offset, length >> 1, position)
        end()
      }
      const result = await write(bytes, offset, length, position)
      for (const line of written) reach(`after write ${line}`)
      return result
    },
  })
}

function watchFile(handle: fs.promises.FileHandle, file: File): void {
  const write = handle.write.bind(handle)
  Object.assign(handle, {
    async write(bytes: Uint8Array, offset: number, length: number, position: number) {
      reach(`before write ${file}`)
      if (isOrdered(`half write ${file}`)) {
        await write(bytes, offset, length >> 1, position)
        end()
      }
      const result = await write(bytes, offset, length, position)
      reach(`after write ${file}`)
      return result
    },
  })
}

function watchPromises(): void {
  const { open, rename, rm } = fs.promises
  Object.assign(fs.promises, {
    async open(...args: Parameters<typeof open>) {
      const handle = await open(...args)
      const file = fileOf(args[0])
      if (file === 'journal') watchJournal(handle)
      else if (file !== undefined) watchFile(handle, file)
      return handle
    },
    async rename(from: string, to: string) {
      const file = fileOf(to)
      if (file !== undefined) reach(`before replace ${file}`)
      await rename(from, to)
      if (file !== undefined) reach(`after replace ${file}`)
    },
    async rm(...args: Parameters<typeof rm>) {
      const file = fileOf(args[0])
      if (file !== undefined) reach(`before remove ${file}`)
      await rm(...args)
      if (file !== undefined) reach(`after remove ${file}`)
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

readOrders()
watchPromises()
watchReading()
watchCrypto()
watchAnswers()
syncBuiltinESMExports()
process.on('SIGUSR2', () => {
  readOrders()
  // What is killed writes no cache at its end, and the next process would have to compile anew.
  flushCompileCache()
  process.stderr.write('the orders are read\n')
})
