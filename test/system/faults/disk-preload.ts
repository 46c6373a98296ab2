import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { DatabaseSync, StatementSync } from 'node:sqlite'

/**
 * Loaded before the program (`node --import`), and in each of its threads. Every commit follows the file that
 * BLUEPENCIL_TEST_DISK names: `{"delayMs": 300}` or `{"code": "EIO"}`. With `{"dies": "before"}` or `"after"`
 * its thread ends then; with `"of": "evt_2"` too, only at a commit that writes this text, and once.
 */
const file = process.env.BLUEPENCIL_TEST_DISK ?? ''
const ioErrorOfSync = 1034
const { exec } = DatabaseSync.prototype
const { run } = StatementSync.prototype
let written = ''

interface Orders {
  delayMs?: number
  code?: string
  dies?: 'before' | 'after'
  of?: string
}

Object.assign(StatementSync.prototype, {
  run(this: StatementSync, ...values: Parameters<typeof run>) {
    written += JSON.stringify(values)
    return run.apply(this, values)
  },
})

Object.assign(DatabaseSync.prototype, {
  exec(this: DatabaseSync, text: string) {
    if (text === 'begin immediate') written = ''
    if (text === 'commit') {
      const orders: Orders = JSON.parse(readFileSync(file, 'utf8'))
      if (orders.delayMs !== undefined)
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, orders.delayMs)
      if (orders.code !== undefined) throw Object.assign(new Error(orders.code), { errcode: ioErrorOfSync })
      const dies = written.includes(orders.of ?? '') ? orders.dies : undefined
      if (dies === 'after') exec.call(this, text)
      if (dies === undefined) return exec.call(this, text)
      if (orders.of !== undefined) {
        writeFileSync(`${file}.done`, '{}')
        renameSync(`${file}.done`, file)
      }
      // In a thread of its own it ends that thread.
      process.exit(1)
    }
    exec.call(this, text)
  },
})
