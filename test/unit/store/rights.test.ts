import { spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { event } from '../../contract/store.ts'
import { openStore, temporaryFolder } from './folder.ts'

const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

const opening = `
const { openSqliteStore } = await import('${new URL('../../../src/store/sqlite/open.ts', import.meta.url).href}')
const troubles = []
try {
  const store = await openSqliteStore(process.argv[1], { now: Date.now, onTrouble: (one) => troubles.push(one) })
  await store.probe()
  await store.close()
  console.log(JSON.stringify({ troubles }))
} catch ({ name, message }) {
  console.log(JSON.stringify({ name, message }))
}`

/** Where no user but our own is known: what belongs to another cannot be changed, also by root. */
const ownSpace = (...command: string[]) => spawnSync('unshare', ['-Ur', ...command], { encoding: 'utf8' })
const canOwn = process.getuid?.() === 0 && ownSpace('true').status === 0

function openedInOwnSpace(folder: string): unknown {
  return JSON.parse(ownSpace(process.execPath, '--input-type=module', '-e', opening, folder).stdout)
}

describe('a store that others may write', () => {
  it.each([0o777, 0o775, 0o733])(
    'is closed to them, and operators know: a folder of mode %o',
    async (open) => {
      const folder = join(await temporaryFolder(), 'data')
      await mkdir(folder)
      await chmod(folder, open)
      const { troubles } = await openStore(folder)
      expect(await mode(folder)).toBe((open & 0o755).toString(8))
      expect(troubles).toEqual([
        `other users of this machine could write to ${folder}. They no longer can. Check whether somebody did, and whether the store has events that the service did not report`,
      ])
    },
  )

  it('is closed in its files too, once', async () => {
    const folder = join(await temporaryFolder(), 'data')
    const { store } = await openStore(folder)
    await store.accept([event('a')])
    await store.close()
    const opened = ['', 'bluepencil.sqlite', 'lock'].map((name) => join(folder, name))
    for (const path of opened) await chmod(path, 0o777)
    const { store: again, troubles } = await openStore(folder)
    expect(await Promise.all(opened.map(mode))).toEqual(['755', '755', '600'])
    expect(troubles).toEqual([
      expect.stringContaining(`write to ${join(folder)} and 2 more in it. They no longer can`),
    ])
    await again.close()
    expect((await openStore(folder)).troubles).toEqual([])
  })

  it('has files for its user alone, from the first moment on', async () => {
    const folder = join(await temporaryFolder(), 'data')
    const { store } = await openStore(folder)
    await store.accept([event('a')])
    for (const name of ['bluepencil.sqlite', 'bluepencil.sqlite-wal', 'bluepencil.sqlite-shm', 'lock']) {
      expect(`${name} ${await mode(join(folder, name))}`).toBe(`${name} 600`)
    }
  })

  it.skipIf(!canOwn).each(['', 'bluepencil.sqlite'])(
    'is refused where it is of another user: %s',
    async (name) => {
      const folder = join(await temporaryFolder(), 'data')
      const { store } = await openStore(folder)
      await store.close()
      const path = join(folder, name)
      await chmod(path, 0o777)
      await chown(path, 1000, 1000)
      expect(openedInOwnSpace(folder)).toEqual({
        name: 'StoreRefused',
        message: `${path} belongs to another user, and other users of this machine can write to it (mode 777). Make the user that Bluepencil runs as its owner, with chmod go-w, or name another folder for the store`,
      })
    },
  )

  it.skipIf(!canOwn)(
    'is used where a platform gave the volume to our group, as containers have it',
    async () => {
      const folder = join(await temporaryFolder(), 'data')
      await mkdir(folder)
      await chown(folder, 1000, 0)
      await chmod(folder, 0o770)
      expect(openedInOwnSpace(folder)).toEqual({ troubles: [] })
    },
  )
})
