import { describe, expect, it } from 'vitest'
import { idsForm, sealedForm, stateForm } from '../../../src/store/lowdb/forms.ts'
import { openLowdbStore } from '../../../src/store/lowdb/open.ts'
import { readJournal } from '../../../src/store/lowdb/read-journal.ts'
import type { NewEntry, Store } from '../../../src/store/store.ts'
import { sent, start, waiting } from '../../contract/store.ts'
import { alert } from '../../support/fakes/events.ts'
import { createMemoryDisk, type MemoryDisk } from '../../support/fakes/memory-disk.ts'

const folder = '/data'

function notice(id: string): NewEntry['entry'] {
  const receivedAt = new Date(start).toISOString()
  return { kind: 'notice', id, phase: 'over', channel: null, title: '', text: '', receivedAt }
}

/** One to a segment: e1 sealed, e2 sealed and owed again, e3 in a journal. */
async function smallStore(): Promise<MemoryDisk> {
  const machine = createMemoryDisk()
  const { store } = await open(machine)
  await store.accept([{ entry: alert({ id: 'e1', content: content(1) }), outcomes: {} }])
  await store.accept([{ entry: notice('e2'), outcomes: { desk: sent() } }])
  await store.changeState('subscription', () => 7)
  await store.accept([{ entry: notice('e3'), outcomes: { desk: waiting() } }])
  await store.close()
  const again = await open(machine)
  await again.store.settle('e2', 'desk', waiting())
  await again.store.close()
  return machine
}

function content(n: number): string {
  return String(n).repeat(32)
}

async function open(machine: MemoryDisk): Promise<{ store: Store; troubles: string[] }> {
  const troubles: string[] = []
  const store = await openLowdbStore(folder, {
    now: () => start,
    onTrouble: (sentence) => troubles.push(sentence),
    segmentSize: 1,
    disk: machine.mount().disk,
  })
  return { store, troubles }
}

/** Everything that can be read of a store. */
async function readAll(store: Store) {
  return {
    events: await store.list({ limit: 99 }),
    verdicts: await store.accept([
      ...[1, 9].map((n) => ({ entry: alert({ id: 'e1', content: content(n) }), outcomes: {} })),
      ...['e2', 'e3'].map((id) => ({ entry: notice(id), outcomes: {} })),
    ]),
    owed: await store.lease('desk', { now: start, limit: 99, leaseMs: 1 }),
    subscription: await store.readState('subscription'),
    horizon: await store.horizon(),
  }
}

function flipped(bytes: Buffer, bit: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return copy
}

const machine = await smallStore()
const pathOf = (name: string) => `${folder}/${name === 'state.json' ? name : `segments/${name}`}`
const bytesOf = (name: string) => machine.files().get(pathOf(name)) ?? Buffer.alloc(0)

describe('a file in which one bit is wrong', () => {
  const where = { segment: 3, next: Number.POSITIVE_INFINITY }
  const readers: [string, (bytes: Buffer) => { what: unknown; mended: boolean }][] = [
    [
      '000002.json',
      (bytes) => {
        const { mended, ...what } = sealedForm.parse(bytes)
        return { what: sealedLines(what), mended: mended > 0 }
      },
    ],
    [
      '000003.journal',
      (bytes) => {
        const { mended, ...what } = readJournal(bytes, where)
        return { what, mended: mended > 0 }
      },
    ],
    [
      'state.json',
      (bytes) => {
        const { mended, ...what } = stateForm.parse(bytes)
        return { what, mended: mended > 0 }
      },
    ],
    [
      '000002.ids',
      (bytes) => {
        const { bytes: length, ...what } = idsForm.parse(bytes)
        return { what, mended: length === -1 }
      },
    ],
  ]
  const sealedLines = ({ events, ...rest }: { events: readonly { json(): string }[] }) => ({
    ...rest,
    events: events.map((event) => event.json()),
  })
  it.each(readers)(
    'is mended, and known to be damaged, whichever bit of %s it is',
    (name, read) => {
      const bytes = bytesOf(name)
      expect(bytes.length).toBeGreaterThan(100)
      const whole = read(bytes)
      expect(whole.mended).toBe(false)
      const expected = JSON.stringify({ ...whole, mended: true })
      for (let bit = 0; bit < 8 * bytes.length; bit++) {
        const found = JSON.stringify(read(flipped(bytes, bit)))
        expect(found === expected, `bit ${bit}: ${found}`).toBe(true)
      }
    },
    60_000,
  )
})

describe('a store in which one bit is wrong', () => {
  // A bit of each byte: all of them, as with FLIPS=all, take minutes, and the readers are tried with every one above.
  const each = process.env.FLIPS === 'all' ? 1 : 8
  it.each(['000001.json', '000001.ids', '000002.json', '000002.journal', '000003.journal', 'state.json'])(
    'is read as it was, whichever byte of %s it is in, and operators know',
    async (name) => {
      const whole = await open(machine.copy())
      const expected = await readAll(whole.store)
      expect(whole.troubles).toEqual([])
      expect(expected).toMatchObject({
        events: [{ seq: 3 }, { seq: 2 }, { seq: 1 }],
        verdicts: ['duplicate', 'changed', 'duplicate', 'duplicate'],
        owed: [{ eventId: 'e2' }, { eventId: 'e3' }],
        subscription: 7,
      })
      const bytes = bytesOf(name)
      for (let at = 0; at < 8 * bytes.length; at += each) {
        const bit = each === 1 ? at : at + ((at >> 3) % 8)
        const damaged = machine.copy()
        damaged.put(pathOf(name), flipped(bytes, bit))
        const { store, troubles } = await open(damaged)
        expect(JSON.stringify(await readAll(store)), `bit ${bit}`).toBe(JSON.stringify(expected))
        // What is derived is made again; everything else says that the disk is not sound.
        expect(troubles, `bit ${bit}`).toHaveLength(name.endsWith('.ids') ? 0 : 1)
      }
    },
    60_000,
  )
})
