import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { type Desk, openDesk } from '../../system/console/desk.ts'
import { textOf } from '../../system/console/markup.ts'

async function settled(desk: Desk, text: string): Promise<void> {
  const visitor = desk.visitor()
  await vi.waitUntil(async () => textOf((await visitor.see('/alerts')).html).includes(text))
}

test('lists are made anew from the store where their file is damaged or gone', async () => {
  const first = await openDesk({}, { closing: () => {} })
  await first.deliver('evt_1')
  await settled(first, 'evt_1')
  await first.app.stop()
  writeFileSync(
    `${first.folder}/data/console.sqlite`,
    'no database at all, but some text that is long enough'.repeat(99),
  )
  const second = await openDesk({}, { folder: first.folder })
  await settled(second, 'evt_1')
  expect(second.log.filter((line) => line.includes('"level":"error"'))).toEqual([])
})

test('lists whose file is damaged in the middle are made anew while it runs', async () => {
  const first = await openDesk({}, { closing: () => {} })
  for (let index = 0; index < 40; index++) await first.deliver(`evt_${index}`)
  await settled(first, 'evt_39')
  await first.app.stop()
  const file = `${first.folder}/data/console.sqlite`
  const bytes = readFileSync(file)
  writeFileSync(file, Buffer.concat([bytes.subarray(0, 4_096), Buffer.alloc(bytes.length - 4_096, 0xa5)]))
  const second = await openDesk({}, { folder: first.folder })
  await settled(second, 'evt_39')
  expect(await second.deliver('evt_new')).toBe(202)
  await settled(second, 'evt_new')
})
