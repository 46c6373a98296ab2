import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { alertsOf, fileForms } from '../../../../src/console/export/files.ts'
import { type AlertRecord, recordOf } from '../../../../src/console/export/record.ts'
import { systemClock } from '../../../../src/platform/clock.ts'
import { type ListQuery, type StoredEntry, StoreUnavailable } from '../../../../src/store/store.ts'
import { alert } from '../../../support/fakes/events.ts'

const clock = { ...systemClock, sleep: async () => {} }

/** As many alerts as requested, each with an id of its own. */
function endless(count: number) {
  const limits: number[] = []
  const stored = (seq: number): StoredEntry => ({ seq, entry: alert({ id: `evt_${seq}` }), outcomes: {} })
  const range = (from: number, length: number) =>
    Array.from({ length: Math.min(length, from) }, (_, index) => from - index)
  return {
    asked: limits,
    clock,
    control: {
      async events({ limit, before = count + 1 }: ListQuery) {
        limits.push(limit)
        return range(before - 1, limit).map(stored)
      },
    },
  }
}

async function* recordsOf(parts: ReturnType<typeof endless>): AsyncGenerator<AlertRecord[]> {
  const { signal } = new AbortController()
  for await (const some of alertsOf({ kind: 'alert' }, parts, signal)) {
    yield some.map((one) => recordOf(one, 'https://desk.example/console', { state: 'new' }))
  }
}

test('of 10,000 alerts each is written once, newest first, some at a time', {
  timeout: 60_000,
}, async () => {
  const parts = endless(10_000)
  let lines = 0
  let last = 10_001
  for await (const text of fileForms.csv.write(recordsOf(parts))) {
    for (const [, seq] of text.matchAll(/^evt_(\d+),/gm)) {
      expect(Number(seq)).toBe(last - 1)
      last = Number(seq)
      lines++
    }
  }
  expect(lines).toBe(10_000)
  // One more than it writes: whether there is more.
  expect(Math.max(...parts.asked)).toBe(201)
})

test('who reads slowly has no more read ahead than fits', async () => {
  const parts = endless(10_000)
  const text = Readable.from(fileForms.json.write(recordsOf(parts)), { highWaterMark: 1 })
  for await (const _ of text) {
    await new Promise((resolve) => setImmediate(resolve))
    if (parts.asked.length > 3) break
  }
  expect(parts.asked.length).toBeLessThan(8)
})

test('if the store fails in the middle, the file breaks off, and does not look whole', async () => {
  const parts = endless(1_000)
  const { events } = parts.control
  parts.control.events = async (query) => {
    if (parts.asked.length > 2) throw new StoreUnavailable('the disk fails')
    return events(query)
  }
  const written = Readable.from(fileForms.json.write(recordsOf(parts))).toArray()
  await expect(written).rejects.toThrow('the disk fails')
})

test('who has left has nothing more read', async () => {
  const parts = endless(1_000)
  const left = new AbortController()
  for await (const _ of alertsOf({ kind: 'alert' }, parts, left.signal)) left.abort()
  expect(parts.asked).toHaveLength(1)
})
