import { appendFile, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { checkedBytes } from '../../../src/store/lowdb/checked.ts'
import type { Store } from '../../../src/store/store.ts'
import { event, sent, start, waiting } from '../../contract/store.ts'
import { copyOf, openStore, temporaryFolder } from '../../unit/store/folder.ts'

// Hundreds of copies are opened and written to: however slow the disk is.
vi.setConfig({ testTimeout: 240_000 })

/** Two sealed segments of five (e0–e9) and a journal of three (e10 waiting, e11 sent, e12 waiting). */
async function storedFolder(): Promise<string> {
  const folder = await temporaryFolder()
  const { store } = await openStore(folder)
  for (let n = 0; n < 10; n++) await store.accept([event(`e${n}`, { desk: sent(`r${n}`) })])
  for (const n of [10, 11, 12]) await store.accept([event(`e${n}`)])
  await store.settle('e11', 'desk', sent('r11'))
  await store.changeState('subscription', () => ({ secret: 'whsec_do_not_print' }))
  await store.close()
  return folder
}

async function ids(store: Store): Promise<string[]> {
  return (await store.list({ limit: 100 })).map(({ entry }) => entry.id).toReversed()
}

/** The first line of a file, with a checksum that holds. */
function headOf(kind: 'journal' | 'segment', version: number, segment: number): string {
  return checkedBytes([
    JSON.stringify({ format: `bluepencil-${kind}`, version, segment, count: 5 }).slice(1),
  ]).toString()
}

const all = Array.from({ length: 13 }, (_, n) => `e${n}`)
const without = (...gone: string[]) => all.filter((id) => !gone.includes(id))
const segments = async (folder: string) => (await readdir(join(folder, 'segments'))).sort()

describe('a damaged journal', () => {
  it.each(['{"op":"accept","rest":0,"at":1', '{"op":"settle","id":"e10"}', '\0\0\0\0'])(
    'is cut back to its last whole line, without a word: %j',
    async (torn) => {
      const folder = await storedFolder()
      const journal = join(folder, 'segments', '000003.journal')
      const before = await readFile(journal, 'utf8')
      await appendFile(journal, torn)
      const { store, troubles } = await openStore(folder)
      expect(await ids(store)).toEqual(all)
      expect(troubles).toEqual([])
      expect(await readFile(journal, 'utf8')).toBe(before)
      await store.accept([event('e13')])
      expect(await ids((await openStore(await copyOf(folder))).store)).toEqual([...all, 'e13'])
    },
  )

  it('loses nothing wherever its last line is cut', async () => {
    const folder = await storedFolder()
    const journal = join(folder, 'segments', '000003.journal')
    const whole = await readFile(journal)
    const lastLine = whole.lastIndexOf(10, whole.length - 2) + 1
    for (let length = lastLine; length < whole.length; length += 7) {
      const copy = await copyOf(folder)
      await truncate(join(copy, 'segments', '000003.journal'), length)
      const { store, troubles } = await openStore(copy)
      expect(await ids(store)).toEqual(all)
      expect((await store.find('e11'))?.outcomes.desk).toEqual(waiting())
      expect(troubles).toEqual([])
    }
  })

  it('has a batch whole or not at all', async () => {
    const folder = await temporaryFolder()
    const { store } = await openStore(folder)
    await store.accept([event('a')])
    await store.changeState('troubles', () => [])
    await store.accept([event('b'), event('c'), event('d')])
    const whole = await readFile(join(folder, 'segments', '000001.journal'))
    for (let length = 0; length <= whole.length; length += 11) {
      const copy = await copyOf(folder)
      await truncate(join(copy, 'segments', '000001.journal'), length)
      const { store: opened, troubles } = await openStore(copy)
      expect([[], ['a'], ['a', 'b', 'c', 'd']]).toContainEqual(await ids(opened))
      // The first was acknowledged: where it is cut off, that is no crash.
      expect(troubles).toHaveLength((await opened.find('a')) === undefined ? 1 : 0)
      expect(await opened.accept([event('d')])).toEqual([length === whole.length ? 'duplicate' : 'new'])
    }
  })

  it('is copied and told of when a line in its middle does not read, and the rest is served', async () => {
    const folder = await storedFolder()
    const journal = join(folder, 'segments', '000003.journal')
    const lines = (await readFile(journal, 'utf8')).split('\n')
    lines[2] = `${lines[2]?.slice(0, 40)}\uFFFD`
    const damaged = lines.join('\n')
    await writeFile(journal, damaged)
    const { store, troubles } = await openStore(folder)
    expect(await ids(store)).toEqual(without('e11'))
    expect(await store.lease('desk', { now: start, limit: 9, leaseMs: 1 })).toHaveLength(2)
    expect(troubles).toEqual([
      '1 line of segments/000003.journal could not be read, and the file as it was is kept as segments/000003.journal.damaged-1; an event may be missing, or a notification may be sent again; everything else is served',
    ])
    expect(await readFile(`${journal}.damaged-1`, 'utf8')).toBe(damaged)
    await store.accept([event('e13')])
    await store.close()

    const again = await openStore(folder)
    expect(again.troubles).toEqual([])
    expect(await ids(again.store)).toEqual([...without('e11'), 'e13'])
  })

  it('is read when only its head is damaged, and when its text is not UTF-8 in one line', async () => {
    const folder = await storedFolder()
    const journal = join(folder, 'segments', '000003.journal')
    const bytes = await readFile(journal)
    bytes[0] = 0
    bytes[bytes.indexOf('claude')] = 0xff
    await writeFile(journal, bytes)
    const { store, troubles } = await openStore(folder)
    expect(await ids(store)).toEqual(without('e10'))
    expect(troubles).toHaveLength(1)
    expect(troubles[0]).toMatch(/^2 lines of segments\/000003\.journal/)
  })

  it('is set aside whole when another version wrote it', async () => {
    const folder = await storedFolder()
    const journal = join(folder, 'segments', '000003.journal')
    const text = (await readFile(journal, 'utf8')).replace(/^.*\n/, headOf('journal', 3, 3))
    await writeFile(journal, text)
    const { store, troubles } = await openStore(folder)
    expect(await ids(store)).toEqual(all.slice(0, 10))
    expect(troubles).toEqual([
      'segments/000003.journal could not be read (it is of version 3, and this Bluepencil reads versions 1 and 2) and is kept as segments/000003.journal.damaged-1; its events are not shown, and what they owe is not sent; everything else is served',
    ])
    expect(await readFile(`${journal}.damaged-1`, 'utf8')).toBe(text)
    expect(await store.accept([event('e13')])).toEqual(['new'])
  })
})

describe('a damaged sealed segment', () => {
  const damages: [string, (path: string) => Promise<void>, string][] = [
    ['cut short', (path) => truncate(path, 70), 'it is not whole JSON'],
    ['empty', (path) => truncate(path, 0), 'it is not whole JSON'],
    ['garbage', (path) => writeFile(path, Buffer.from([0xff, 0, 0xfe])), 'it is not UTF-8 text'],
    ['something else', (path) => writeFile(path, '{"a":1}'), 'it is not as Bluepencil writes it'],
    [
      'of another version',
      async (path) => {
        const text = await readFile(path, 'utf8')
        await writeFile(path, text.replace(/^.*\n/, headOf('segment', 27, 1)))
      },
      'it is of version 27, and this Bluepencil reads versions 1 and 2',
    ],
    [
      'of another number',
      async (path) => {
        const text = await readFile(path, 'utf8')
        await writeFile(path, text.replace(/^.*\n/, headOf('segment', 2, 11)))
      },
      'it is segment 11',
    ],
  ]
  it.each(damages)('that is %s is set aside and told of, and the rest is served', async (_, damage, why) => {
    const folder = await storedFolder()
    const file = join(folder, 'segments', '000001.json')
    await damage(file)
    const damaged = await readFile(file)
    const { store, troubles } = await openStore(folder)
    expect(await ids(store)).toEqual(all.slice(5))
    expect(troubles).toEqual([
      `segments/000001.json could not be read (${why}) and is kept as segments/000001.json.damaged-1; its events cannot be shown or sent again; nothing of them was pending, and everything else is served`,
    ])
    expect(await readFile(`${file}.damaged-1`)).toEqual(damaged)
  })

  it('still knows its ids, so that no reader is told twice, until they are past retention', async () => {
    const folder = await storedFolder()
    await truncate(join(folder, 'segments', '000001.json'), 5)
    const { store } = await openStore(folder)
    expect(await store.accept([event('e3')])).toEqual(['duplicate'])
    expect(await store.find('e3')).toBeUndefined()
    expect(await store.settle('e3', 'desk', waiting())).toBe(false)
    await store.close()
    const again = await openStore(folder, { now: () => start + 9 })
    expect(again.troubles).toEqual([])
    expect(await again.store.accept([event('e3')])).toEqual(['duplicate'])
    expect(await again.store.retain(start + 1)).toBe(10)
    expect(await again.store.accept([event('e3')])).toEqual(['new'])
    expect(await segments(folder)).toEqual(['000001.json.damaged-1', '000003.journal'])
  })

  it('is found when it is read, where its length gives nothing away', async () => {
    const folder = await storedFolder()
    const file = join(folder, 'segments', '000002.json')
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replaceAll('claude', 'CLAUDE'))
    const { store, troubles } = await openStore(folder)
    expect(troubles).toEqual([])
    expect(await ids(store)).toEqual(without('e5', 'e6', 'e7', 'e8', 'e9'))
    expect(troubles).toHaveLength(1)
    expect(await ids(store)).toHaveLength(8)
    expect(troubles).toHaveLength(1)
    expect(await segments(folder)).toContain('000002.json.damaged-1')
  })

  it('is saved event by event, and knows the id of one that is lost', async () => {
    const folder = await storedFolder()
    const file = join(folder, 'segments', '000002.json')
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace('"id":"e6"', '"id":"??"'))
    const { store, troubles } = await openStore(folder)
    expect(await ids(store)).toEqual(without('e6'))
    expect(troubles).toEqual([
      '1 event of segments/000002.json could not be read, and the file as it was is kept as segments/000002.json.damaged-1; what is lost cannot be shown or sent again; nothing of it was pending, and everything else is served',
    ])
    await store.close()
    const again = await openStore(folder)
    expect(await ids(again.store)).toEqual(without('e6'))
    expect(await again.store.accept([event('e6')])).toEqual(['duplicate'])
    expect(again.troubles).toEqual([])
  })

  it('is missed when it is gone before it is opened, once, by its ids or by the gap that it leaves', async () => {
    for (const kinds of [['json'], ['json', 'ids']]) {
      const folder = await storedFolder()
      for (const kind of kinds) await rm(join(folder, 'segments', `000002.${kind}`))
      const { store, troubles } = await openStore(folder)
      expect(await ids(store)).toEqual(without('e5', 'e6', 'e7', 'e8', 'e9'))
      expect(troubles).toEqual([
        kinds.length === 1
          ? 'segments/000002.json is missing; its events cannot be shown or sent again; nothing of them was pending, and everything else is served'
          : '5 events (events 6 to 10) are missing: the files of segments/000002 are gone; what was accepted there is not shown, what was pending there is not sent, and a repeat of it is sent as new; everything else is served',
      ])
      await store.close()
      expect((await openStore(folder)).troubles).toEqual([])
    }
  })

  it('is no loss when retention dropped it', async () => {
    const folder = await storedFolder()
    const { store } = await openStore(folder, { now: () => start + 9 })
    await expect.poll(() => store.retain(start + 1)).toBe(10)
    await store.close()
    const { store: again, troubles } = await openStore(folder)
    expect(await ids(again)).toEqual(['e10', 'e11', 'e12'])
    expect(troubles).toEqual([])
  })

  it('is missed when it is gone', async () => {
    const folder = await storedFolder()
    const { store, troubles } = await openStore(folder)
    await rm(join(folder, 'segments', '000001.json'))
    expect(await store.settle('e3', 'desk', waiting())).toBe(false)
    expect(troubles).toEqual([
      'segments/000001.json is missing; its events cannot be shown or sent again; nothing of them was pending, and everything else is served',
    ])
  })
})

describe('the ids of a sealed segment', () => {
  const derived: [string, (path: string) => Promise<void>][] = [
    ['missing', (path) => rm(path)],
    ['damaged', (path) => truncate(path, 30)],
    ['empty, as a machine that lost its power may leave it', (path) => truncate(path, 0)],
    ['nothing but zeros', async (path) => writeFile(path, Buffer.alloc((await stat(path)).size))],
    ['of another file', (path) => rename(path.replace('000001', '000002'), path)],
    [
      'older than the segment',
      async (path) => {
        const text = await readFile(path, 'utf8')
        await writeFile(path, text.replace(/"bytes":\d+/, '"bytes":1'))
      },
    ],
  ]
  it.each(derived)('are made again where they are %s', async (_, damage) => {
    const folder = await storedFolder()
    const file = join(folder, 'segments', '000001.ids')
    const whole = await readFile(file, 'utf8')
    await damage(file)
    const { store, troubles } = await openStore(folder)
    expect(troubles).toEqual([])
    expect(await store.accept([event('e3'), event('e8')])).toEqual(['duplicate', 'duplicate'])
    expect(await ids(store)).toEqual(all)
    expect(await readFile(file, 'utf8')).toBe(whole)
  })
})

describe('state.json', () => {
  it.each(['', '{"format":"bluepencil-state","version":1,"state":{"a', '{"secret":"whsec_do_not_print"}'])(
    'is set aside and told of, without its secrets, when it does not read: %j',
    async (text) => {
      const folder = await storedFolder()
      await writeFile(join(folder, 'state.json'), text)
      const { store, troubles } = await openStore(folder)
      expect(troubles).toHaveLength(1)
      expect(troubles[0]).toMatch(/^state\.json could not be read .* is kept as state\.json\.damaged-1;/)
      expect(troubles[0]).not.toContain('whsec_')
      expect(await readFile(join(folder, 'state.json.damaged-1'), 'utf8')).toBe(text)
      expect(await store.readState('subscription')).toBeUndefined()
      await store.changeState('subscription', () => 1)
      expect((await openStore(await copyOf(folder))).troubles).toEqual([])
      expect(await ids(store)).toEqual(all)
    },
  )
})
