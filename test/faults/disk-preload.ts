import { open, readFile } from 'node:fs/promises'

/**
 * Loaded before the program (`node --import`): every fdatasync first does what the file that is named by
 * BLUEPENCIL_TEST_DISK says, `{"delayMs": 300}` or `{"code": "EIO"}`.
 */
const file = process.env.BLUEPENCIL_TEST_DISK ?? ''
const handle = await open(import.meta.filename)
const prototype = Object.getPrototypeOf(handle) as { datasync(): Promise<void> }
await handle.close()
const { datasync } = prototype

prototype.datasync = async function slowOrSick(this: typeof handle) {
  const orders: { delayMs?: number; code?: string } = JSON.parse(await readFile(file, 'utf8'))
  if (orders.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, orders.delayMs))
  if (orders.code !== undefined) throw Object.assign(new Error('fdatasync'), { code: orders.code })
  await datasync.call(this)
}
