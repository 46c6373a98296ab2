import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { event, sent } from '../../contract/store.ts'
import { openStore, temporaryFolder } from './folder.ts'

test('a copy that is made while alerts are written has each that was stored before it began', {
  timeout: 60_000,
}, async () => {
  const { store } = await openStore(join(await temporaryFolder(), 'data'), {
    onLost: (sentence) => expect.fail(sentence),
  })
  const copies = await temporaryFolder()
  let isCopying = true
  let stored = 0
  async function write(): Promise<void> {
    while (isCopying) {
      const many = Array.from({ length: 50 }, (_, one) => event(`evt_${stored + one}`, { mail: sent() }))
      await store.accept(many)
      stored += many.length
      await setImmediate()
    }
  }
  const writing = write()
  try {
    for (let number = 0; number < 20; number++) {
      const before = stored
      const to = join(copies, String(number))
      await store.snapshotTo?.(to)
      const { store: copy } = await openStore(to)
      const [newest] = await copy.list({ limit: 1 })
      expect(newest?.seq ?? 0).toBeGreaterThanOrEqual(before)
      await copy.close()
    }
  } finally {
    isCopying = false
    await writing
  }
})
