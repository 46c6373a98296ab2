import { open, readFile } from 'node:fs/promises'

/**
 * Loaded before the program (`node --import`): every write and fdatasync of a file handle, once it is done,
 * does what the file that is named by BLUEPENCIL_TEST_DISK says, `{"delayMs": 300}` or `{"code": "EIO"}`.
 */
const file = process.env.BLUEPENCIL_TEST_DISK ?? ''
const handle = await open(import.meta.filename)
const prototype = Object.getPrototypeOf(handle) as Record<
  'write' | 'datasync',
  (...args: unknown[]) => Promise<unknown>
>
await handle.close()

for (const step of ['write', 'datasync'] as const) {
  const done = prototype[step]
  prototype[step] = async function slowOrSick(this: typeof handle, ...args) {
    const result = await done.apply(this, args)
    const orders: { delayMs?: number; code?: string } = JSON.parse(await readFile(file, 'utf8'))
    if (orders.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, orders.delayMs))
    if (orders.code !== undefined) throw Object.assign(new Error(step), { code: orders.code })
    return result
  }
}
