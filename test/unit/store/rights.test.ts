import { chmod, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openLowdbStore } from '../../../src/store/lowdb/open.ts'
import { event, start } from '../../contract/store.ts'
import { createMemoryDisk } from '../../support/fakes/memory-disk.ts'
import { openStore, temporaryFolder } from './folder.ts'

const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

/** A store in memory that another user owns as far as `owners` says. */
async function openOwned(owners: Record<string, { uid: number; mode: number }>) {
  const machine = createMemoryDisk({ uid: 1000 })
  const troubles: string[] = []
  const options = { now: () => start, onTrouble: (sentence: string) => troubles.push(sentence) }
  const first = machine.mount()
  const store = await openLowdbStore('/data', { ...options, disk: first.disk })
  await store.accept([event('a')])
  await store.close()
  first.kill()
  for (const [path, owner] of Object.entries(owners)) machine.own(path, owner)
  const again = await openLowdbStore('/data', { ...options, disk: machine.mount().disk })
  return { store: again, troubles }
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
        `${folder} could be written by other users of this machine; that right has been taken away; see who used it, and that no event is there which the service did not report`,
      ])
    },
  )

  it('is closed in its segments and files too, once', async () => {
    const folder = join(await temporaryFolder(), 'data')
    const { store } = await openStore(folder)
    await store.accept([event('a')])
    await store.close()
    const opened = ['', 'segments', 'segments/000001.journal', 'state.json'].map((name) => join(folder, name))
    for (const path of opened) await chmod(path, 0o777)
    const { store: again, troubles } = await openStore(folder)
    for (const path of opened) expect(await mode(path)).toBe('755')
    expect(troubles).toEqual([expect.stringContaining(`${join(folder)} and 3 more in it could be written`)])
    await again.close()
    expect((await openStore(folder)).troubles).toEqual([])
  })

  it.each(['/data', '/data/segments', '/data/state.json'])(
    'is refused where it is of another user: %s',
    async (path) => {
      const owners = {
        '/data': { uid: 1000, mode: 0o755 },
        '/data/segments': { uid: 1000, mode: 0o755 },
        [path]: { uid: 0, mode: 0o777 },
      }
      await expect(openOwned(owners)).rejects.toMatchObject({
        name: 'StoreRefused',
        message: `${path} can be written by other users of this machine (mode 777) and belongs to another user; give it to the user that Bluepencil runs as, with chmod go-w, or name another folder for the store`,
      })
    },
  )

  it('is used where a platform gave the volume to our group, as containers have it', async () => {
    const { store, troubles } = await openOwned({ '/data': { uid: 0, mode: 0o770 } })
    expect(await store.accept([event('a'), event('b')])).toEqual(['duplicate', 'new'])
    expect(troubles).toEqual([])
  })
})
