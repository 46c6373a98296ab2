import { constants, existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ChangeOutcome } from '../../../src/store/store.ts'
import { event, sent, start, waiting } from '../../contract/store.ts'
import { createMemoryDisk } from '../../support/fakes/memory-disk.ts'
import { describeLowdbStore } from '../../system/store/lowdb.ts'
import { faultyDisk, gate } from '../../unit/store/faulty-disk.ts'
import { copyOf, openStore, temporaryFolder } from '../../unit/store/folder.ts'

for (const segmentSize of [1000, 1]) describeLowdbStore(segmentSize)

const fault = new Error('a fault of the caller')
function throwFault(): never {
  throw fault
}

/** Undefined where it has been closed since it was listed. */
function pathOf(fd: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return undefined
  }
}

async function segmentFiles(folder: string): Promise<string[]> {
  return (await readdir(join(folder, 'segments'))).sort()
}

describe('files of the lowdb store', () => {
  it('shares one write, through to the disk, among many concurrent accepts', async () => {
    const { disk, steps } = faultyDisk(() => undefined)
    const { store } = await openStore(await temporaryFolder(), { disk, segmentSize: 1000 })
    await store.accept([event('first')])
    const before = { ...steps }
    await Promise.all(Array.from({ length: 100 }, (_, n) => store.accept([event(`e${n}`)])))
    expect(steps.write - before.write).toBe(1)
  })

  it('writes the first sixteen that are asked for in one turn of the event loop, as deliveries are, and then all the others', async () => {
    const { disk, steps } = faultyDisk(() => undefined)
    const { store } = await openStore(await temporaryFolder(), { disk, segmentSize: 1000 })
    await store.accept([event('first')])
    const before = steps.write
    const asked = Array.from(
      { length: 64 },
      (_, n) => new Promise((resolve) => setImmediate(() => resolve(store.accept([event(`e${n}`)])))),
    )
    await Promise.all(asked)
    expect(steps.write - before).toBe(2)
  })

  it.skipIf(!existsSync('/proc/self/fdinfo'))('writes events through to the disk (O_DSYNC)', async () => {
    const folder = await temporaryFolder()
    const { store } = await openStore(folder)
    await store.accept([event('a')])
    const journal = join(folder, 'segments', '000001.journal')
    const open = readdirSync('/proc/self/fd').find((fd) => pathOf(fd) === journal)
    const [, flags = ''] = /^flags:\s+(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${open}`, 'utf8')) ?? []
    expect(Number.parseInt(flags, 8) & constants.O_DSYNC).toBe(constants.O_DSYNC)
  })

  it('lets those that arrive during a commit share the next one', async () => {
    const sync = gate()
    const { disk, steps } = faultyDisk(async (step) => {
      if (step !== 'sync' || steps.sync !== 1) return
      await sync.pass()
    })
    const { store } = await openStore(await temporaryFolder(), { disk, segmentSize: 1000 })
    let acknowledged = false
    const first = store.accept([event('first')]).then(() => {
      acknowledged = true
    })
    await sync.reached
    const others = Array.from({ length: 50 }, (_, n) => store.accept([event(`e${n}`)]))
    const repeat = store.accept([event('first')])
    expect(acknowledged).toBe(false)
    expect(await store.find('first')).toBeUndefined()
    sync.open()
    await first
    expect(await repeat).toEqual(['duplicate'])
    await Promise.all(others)
    expect(steps.sync).toBe(2)
  })

  it.each<[string, ChangeOutcome]>([
    ['that throws', throwFault],
    ['to what cannot be written', () => Object.assign(sent(), { toJSON: throwFault })],
  ])('refuses a change %s, and stores what was asked for with it and afterwards', async (_, change) => {
    const { store } = await openStore(await temporaryFolder())
    await store.accept([event('a')])
    const together = await Promise.allSettled([
      store.alter('a', 'desk', change),
      store.accept([event('b')]),
      store.alter('a', 'desk', () => sent()),
    ])
    expect(together).toMatchObject([
      { status: 'rejected', reason: fault },
      { value: ['new'] },
      { value: true },
    ])
    expect(await store.accept([event('c')])).toEqual(['new'])
    expect((await store.find('a'))?.outcomes.desk).toEqual(sent())
  })

  it('writes journals, seals what is full and owes nothing, and folds a replay in again', async () => {
    const folder = await temporaryFolder()
    const { store } = await openStore(folder)
    for (let n = 0; n < 5; n++) await store.accept([event(`e${n}`)])
    await store.accept([event('e5')])
    expect(await segmentFiles(folder)).toEqual(['000001.journal', '000002.journal'])
    for (let n = 0; n < 5; n++) await store.settle(`e${n}`, 'desk', sent(`r${n}`))
    await expect.poll(() => segmentFiles(folder)).toEqual(['000001.ids', '000001.json', '000002.journal'])

    await store.settle('e2', 'desk', waiting())
    expect(await segmentFiles(folder)).toContain('000001.journal')
    await store.settle('e2', 'desk', sent('again'))
    await expect.poll(() => segmentFiles(folder)).toEqual(['000001.ids', '000001.json', '000002.journal'])
    const reopened = await openStore(await copyOf(folder))
    expect((await reopened.store.find('e2'))?.outcomes.desk).toEqual(sent('again'))
    expect((await reopened.store.find('e1'))?.outcomes.desk).toEqual(sent('r1'))
  })

  it('seals a segment with a line for each event, as JSON.stringify would write it', async () => {
    const folder = await temporaryFolder()
    const { store } = await openStore(folder)
    for (let n = 0; n < 5; n++) await store.accept([event(`e${n}`, { desk: waiting() })])
    for (let n = 0; n < 5; n++) await store.settle(`e${n}`, 'desk', sent('"r"\n\u2028'))
    await expect.poll(() => segmentFiles(folder)).toContain('000001.ids')
    const text = readFileSync(join(folder, 'segments', '000001.json'), 'utf8')
    const events = await store.list({ limit: 5 })
    const lines = text.trimEnd().split('\n')
    const [head, ...stored] = lines.map((line) => JSON.parse(line))
    expect(lines).toEqual([head, ...stored].map((value) => JSON.stringify(value)))
    expect(head).toMatchObject({ format: 'bluepencil-segment', version: 2, segment: 1, count: 5 })
    expect(stored).toMatchObject(events.toReversed())
  })

  it('keeps a batch in one segment, and gives one that is larger than any a segment of its own', async () => {
    const folder = await temporaryFolder()
    const { store } = await openStore(folder)
    const batch = (prefix: string, size: number) =>
      Array.from({ length: size }, (_, n) => event(`${prefix}${n}`))
    await store.accept(batch('a', 3))
    await store.accept(batch('b', 3))
    await store.accept(batch('c', 12))
    await Promise.all([store.accept(batch('d', 2)), store.accept(batch('e', 4))])
    expect(await segmentFiles(folder)).toHaveLength(5)
    expect((await store.list({ limit: 100 })).map(({ seq }) => seq)).toEqual(
      Array.from({ length: 24 }, (_, n) => 24 - n),
    )
  })

  it('makes its folder 0700 and every file 0600', async () => {
    const folder = join(await temporaryFolder(), 'deep', 'data')
    const { store } = await openStore(folder)
    await store.accept(Array.from({ length: 6 }, (_, n) => event(`e${n}`, {})))
    await store.accept([event('last')])
    await store.changeState('subscription', () => ({ secret: 'whsec_x' }))
    await store.probe()
    await expect.poll(() => segmentFiles(folder)).toEqual(['000001.ids', '000001.json', '000002.journal'])
    const mode = async (path: string) => ((await stat(join(folder, path))).mode & 0o777).toString(8)
    expect(await mode('.')).toBe('700')
    expect(await mode('segments')).toBe('700')
    const files = [
      'lock',
      'probe',
      'state.json',
      ...(await segmentFiles(folder)).map((one) => `segments/${one}`),
    ]
    for (const file of files) expect(`${file} ${await mode(file)}`).toBe(`${file} 600`)
    expect((await readdir(folder)).sort()).toEqual(['lock', 'probe', 'segments', 'state.json'])
  })

  it('refuses what is not a folder, and a folder whose lock is not its own', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'file'), 'x')
    await expect(openStore(join(folder, 'file'))).rejects.toMatchObject({
      name: 'StoreRefused',
      message: expect.stringContaining('is not a folder; name a folder of its own'),
    })
    await mkdir(join(folder, 'other'))
    await writeFile(join(folder, 'other', 'lock'), 'not a database '.repeat(100))
    await expect(openStore(join(folder, 'other'))).rejects.toMatchObject({
      name: 'StoreRefused',
      message: expect.stringContaining("a file named lock that is not Bluepencil's"),
    })
  })

  it('opens 100,000 retained events without reading them', async () => {
    const folder = await temporaryFolder()
    const { store } = await openStore(folder, { segmentSize: 1000 })
    for (let n = 0; n < 100; n++) {
      await store.accept(Array.from({ length: 1000 }, (_, m) => event(`evt_${n}_${m}`, { desk: sent() })))
    }
    await store.close()
    const before = performance.now()
    const reopened = await openStore(folder, { segmentSize: 1000 })
    expect(performance.now() - before).toBeLessThan(1000)
    expect(await reopened.store.accept([event('evt_50_500')])).toEqual(['duplicate'])
    expect((await reopened.store.find('evt_99_999'))?.seq).toBe(100_000)
  })

  it('takes one of 100,000 waiting as fast as one of ten', async () => {
    // On a disk in memory: what a commit takes on a real one has nothing to do with how many wait.
    const { disk } = createMemoryDisk().mount()
    const { store } = await openStore('/data', { segmentSize: 1000, disk })
    for (let n = 0; n < 100; n++) {
      const outcomes = { due: waiting(), later: waiting({ dueAt: new Date(start + 1e6).toISOString() }) }
      await store.accept(Array.from({ length: 1000 }, (_, m) => event(`evt_${n}_${m}`, outcomes)))
    }
    const before = performance.now()
    for (let n = 0; n < 1000; n++) {
      const [owed] = await store.lease('due', { now: start, limit: 1, leaseMs: 1e9 })
      expect(owed?.seq).toBe(n + 1)
      expect(await store.lease('later', { now: start, limit: 1, leaseMs: 1e9 })).toEqual([])
      expect(await store.nextDue('later')).toBe(start + 1e6)
    }
    expect(performance.now() - before).toBeLessThan(2000)
  })
})
