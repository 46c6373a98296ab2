import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/**
 * Loaded before the program (`node --import`), and in each of its threads. Every commit follows the file that
 * BLUEPENCIL_TEST_DISK names: `{"delayMs": 300}` or `{"code": "EIO"}`. With `{"dies": "before"}` or `"after"`
 * its thread ends then.
 */
const file = process.env.BLUEPENCIL_TEST_DISK ?? ''
const ioErrorOfSync = 1034
const { exec } = DatabaseSync.prototype

Object.assign(DatabaseSync.prototype, {
  exec(this: DatabaseSync, text: string) {
    if (text === 'commit') {
      const orders: { delayMs?: number; code?: string; dies?: 'before' | 'after' } = JSON.parse(
        readFileSync(file, 'utf8'),
      )
      if (orders.delayMs !== undefined)
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, orders.delayMs)
      if (orders.code !== undefined) throw Object.assign(new Error(orders.code), { errcode: ioErrorOfSync })
      if (orders.dies === 'after') exec.call(this, text)
      // In a thread of its own it ends that thread.
      if (orders.dies !== undefined) process.exit(1)
    }
    exec.call(this, text)
  },
})
