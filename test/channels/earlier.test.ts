import { expect, test } from 'vitest'
import { type Page, rememberEarlier } from '../../src/channels/earlier.ts'

const noon = Date.parse('2026-11-21T12:00:00Z')

/** A channel of three messages a page, and what was asked of it. `breaksAt` is the page that cannot be read. */
function history(ids: string[], breaksAt = Number.POSITIVE_INFINITY) {
  const asked: { from: number; next: string | undefined }[] = []
  const reading = { ids, breaksAt, pages: 0 }
  async function* read(from: number, next: string | undefined): AsyncGenerator<Page> {
    asked.push({ from, next })
    for (let at = Number(next ?? 0); at < reading.ids.length; at += 3) {
      reading.pages += 1
      if (reading.pages === reading.breaksAt) throw new Error('slow down')
      const posted = reading.ids.slice(at, at + 3).map((mark) => ({ mark, receipt: `receipt of ${mark}` }))
      yield { posted, next: String(at + 3) }
    }
  }
  return { asked, reading, read }
}

function event(id: string, since = noon) {
  return { id, since, isIt: (mark: string) => mark === id }
}

test('a history is read once for all that may have been sent before a crash', async () => {
  const { reading, read } = history(Array.from({ length: 30 }, (_, n) => `evt_${n}`))
  const earlier = rememberEarlier()
  for (const id of ['evt_new', 'evt_29', 'evt_3', 'evt_other']) await earlier.find(event(id), read)
  expect(await earlier.find(event('evt_7'), read)).toBe('receipt of evt_7')
  expect(await earlier.find(event('evt_newer'), read)).toBeUndefined()
  expect(reading.pages).toBe(10)
})

test('it is read no further than to what is looked for', async () => {
  const { reading, read } = history(Array.from({ length: 30 }, (_, n) => `evt_${n}`))
  expect(await rememberEarlier().find(event('evt_4'), read)).toBe('receipt of evt_4')
  expect(reading.pages).toBe(2)
})

test('where reading broke off, it goes on', async () => {
  const { asked, reading, read } = history(
    Array.from({ length: 9 }, (_, n) => `evt_${n}`),
    2,
  )
  const earlier = rememberEarlier()
  await expect(earlier.find(event('evt_8'), read)).rejects.toThrow('slow down')
  expect(await earlier.find(event('evt_8'), read)).toBe('receipt of evt_8')
  expect(asked.map(({ next }) => next)).toEqual([undefined, '3'])
  expect(reading.pages).toBe(4)
})

test('a try of which the end is not known makes what was read before worthless', async () => {
  const { reading, read } = history(['evt_1'])
  const earlier = rememberEarlier()
  await earlier.find(event('evt_2'), read)
  earlier.trying('evt_2')
  reading.ids.push('evt_2')
  expect(await earlier.find(event('evt_2'), read)).toBe('receipt of evt_2')
})

test('a try that surely failed does not', async () => {
  const { reading, read } = history(['evt_1'])
  const earlier = rememberEarlier()
  await earlier.find(event('evt_2'), read)
  earlier.trying('evt_2')
  earlier.isCertain('evt_2')
  expect(await earlier.find(event('evt_2'), read)).toBeUndefined()
  expect(reading.pages).toBe(1)
})

test('it is read from a while before the event, so that events close to each other share it', async () => {
  const { asked, read } = history([])
  const earlier = rememberEarlier()
  await earlier.find(event('evt_1'), read)
  await earlier.find(event('evt_0', noon - 59_000), read)
  await earlier.find(event('evt_later', noon + 3_600_000), read)
  expect(asked.map(({ from }) => from)).toEqual([noon - 120_000])
})

test('an event that is older than what was read is looked for further back', async () => {
  const { asked, read } = history([])
  const earlier = rememberEarlier()
  await earlier.find(event('evt_1'), read)
  await earlier.find(event('evt_old', noon - 3_600_000), read)
  expect(asked.map(({ from }) => from)).toEqual([noon - 120_000, noon - 3_720_000])
})
