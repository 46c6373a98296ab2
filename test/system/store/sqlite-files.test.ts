import { copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { DatabaseFailure } from '../../../src/store/sql/failure.ts'
import { refuseNetwork } from '../../../src/store/sqlite/folder.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import type { StoreChange } from '../../../src/store/store.ts'
import { event, start } from '../../contract/store.ts'
import { damageStored } from '../../support/stored.ts'
import { openStore, temporaryFolder } from '../../unit/store/folder.ts'

afterEach(() => vi.restoreAllMocks())

const database = 'bluepencil.sqlite'

describe('a store whose files are not there any more', () => {
  test.each<[string, (folder: string) => void]>([
    ['the database was moved', (folder) => renameSync(join(folder, database), join(folder, 'elsewhere'))],
    ['the database was removed', (folder) => rmSync(join(folder, database))],
    [
      'the database was replaced by a copy',
      (folder) => {
        copyFileSync(join(folder, database), join(folder, 'copy'))
        renameSync(join(folder, 'copy'), join(folder, database))
      },
    ],
    ['its log was removed', (folder) => rmSync(join(folder, `${database}-wal`))],
    ['the lock was removed', (folder) => rmSync(join(folder, 'lock'))],
    ['the folder was moved', (folder) => renameSync(folder, `${folder}-moved`)],
  ])('acknowledges nothing: %s', async (_, damage) => {
    const folder = join(await temporaryFolder(), 'data')
    const { store } = await openStore(folder)
    expect(await store.accept([event('a')])).toEqual(['new'])
    damage(folder)
    await expect(store.accept([event('b')])).rejects.toMatchObject({
      name: 'StoreUnavailable',
      message: expect.stringMatching(/was (moved or deleted|replaced) while it was in use/),
    })
  })

  test('acknowledges again when they are back, and has what it had', async () => {
    const folder = join(await temporaryFolder(), 'data')
    const { store } = await openStore(folder)
    await store.accept([event('a')])
    renameSync(folder, `${folder}-moved`)
    await expect(store.accept([event('b')])).rejects.toMatchObject({ name: 'StoreUnavailable' })
    renameSync(`${folder}-moved`, folder)
    expect(await store.accept([event('a'), event('b')])).toEqual(['duplicate', 'new'])
  })
})

test('a second process is refused', async () => {
  const folder = join(await temporaryFolder(), 'data')
  await openStore(folder)
  await expect(openStore(folder)).rejects.toMatchObject({
    name: 'StoreRefused',
    message: expect.stringContaining('another Bluepencil is using'),
  })
})

test('a network file system is refused by its type, a disk is not', () => {
  for (const [type, name] of [
    [0x6969, 'NFS'],
    [0xff534d42 | 0, 'CIFS'],
  ] as const) {
    expect(() => refuseNetwork('/data', type)).toThrow(`/data is on a network file system (${name})`)
  }
  // ext4, tmpfs, overlayfs.
  for (const type of [0xef53, 0x01021994, 0x794c7630]) refuseNetwork('/data', type)
})

test('a folder of the earlier format is refused with one sentence', async () => {
  const folder = join(await temporaryFolder(), 'data')
  mkdirSync(join(folder, 'segments'), { recursive: true })
  writeFileSync(join(folder, 'state.json'), '{}')
  await expect(openStore(folder)).rejects.toMatchObject({
    name: 'StoreRefused',
    message: `${folder} has a store of a Bluepencil from before version 0.1, which this one cannot read; name another folder for the store`,
  })
})

test('a row that differs from what was written is left out, and reported once by its number', async () => {
  const folder = join(await temporaryFolder(), 'data')
  const { store } = await openStore(folder)
  await store.accept([event('a'), event('b'), event('c')])
  await store.close()
  damageStored(folder, "update entries set entry = replace(entry, 'claude', 'cl4ude') where seq = 2")
  damageStored(folder, "update outcomes set state = 'sent' where seq = 3")
  const { store: again, troubles } = await openStore(folder)
  const shown = async () =>
    (await again.list({ limit: 9 })).map(({ entry, outcomes }) => [entry.id, outcomes.desk?.state])
  expect(await shown()).toEqual([
    ['c', undefined],
    ['a', 'waiting'],
  ])
  await expect.poll(shown).toEqual([
    ['c', 'failed'],
    ['a', 'waiting'],
  ])
  expect(troubles).toEqual(
    ['entry 2', 'outcome 3'].map(
      (row) =>
        `${row} of the store in ${folder} is damaged: it differs from what was written, so it is left out`,
    ),
  )
  expect(await again.accept([event('b')])).toEqual(['duplicate'])
})

describe('a store with threads of its own', () => {
  async function openThreaded() {
    const workers: Worker[] = []
    const post = vi.spyOn(Worker.prototype, 'postMessage')
    post.mockImplementation(function (this: Worker, ...args: Parameters<Worker['postMessage']>) {
      if (!workers.includes(this)) workers.push(this)
      return original.apply(this, args)
    })
    const folder = join(await temporaryFolder(), 'data')
    const lost: string[] = []
    const store = await openSqliteStore(folder, {
      now: () => start,
      onTrouble: (sentence) => expect.fail(sentence),
      onLost: (sentence) => lost.push(sentence),
    })
    onTestFinished(() => store.close())
    return { store, lost, kill: () => workers.map((one) => one.terminate()) }
  }
  const original = Worker.prototype.postMessage

  test('goes on when they end, and says what it does not know', async () => {
    const { store, lost, kill } = await openThreaded()
    expect(await store.accept([event('a')])).toEqual(['new'])
    const pending = store.accept([event('b')])
    const killed = Promise.all(kill())
    // It may have been stored just before.
    const answer = await pending.then(String, (error: unknown) => (error instanceof Error ? error.name : ''))
    expect(['new', 'StoreUnavailable']).toContain(answer)
    await killed
    await vi.waitUntil(() => store.accept([event('c')]).catch(() => false))
    expect(await store.accept([event('a')])).toEqual(['duplicate'])
    expect(lost).toEqual([])
  })

  test('says so when they end again and again', async () => {
    const { store, lost, kill } = await openThreaded()
    for (let n = 0; n < 3; n++) {
      await vi.waitUntil(() => store.accept([event(`evt_${n}`)]).catch(() => false))
      await Promise.all(kill())
    }
    await vi.waitUntil(() => lost.length > 0)
    expect(lost[0]).toMatch(/^the thread that works on the store in .* ended 3 times within a minute$/)
  })
})

test('what was stored though its commit got no answer is reported like the change of another process', async () => {
  let isLost = false
  const { store } = await openStore(join(await temporaryFolder(), 'data'), {
    disk: (connection) => ({
      ...connection,
      async commit(batch) {
        await connection.commit(batch)
        if (isLost) throw new DatabaseFailure('the thread that has the store ended', 'unknown')
      },
    }),
  })
  const changes: StoreChange[] = []
  store.changes((change) => void changes.push(change))
  expect(await store.accept([event('a')])).toEqual(['new'])
  isLost = true
  await expect(store.accept([event('b')])).rejects.toMatchObject({ name: 'StoreUnavailable' })
  expect(changes).toEqual([{ of: 'event', id: 'b', channels: ['desk'], isAbout: false }])
  isLost = false
  expect(await store.accept([event('b')])).toEqual(['duplicate'])
})
