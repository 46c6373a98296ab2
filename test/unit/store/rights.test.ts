import { chmod, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { event } from '../../contract/store.ts'
import { openStore, temporaryFolder } from './folder.ts'

const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

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

  it('is closed in its files too, once', async () => {
    const folder = join(await temporaryFolder(), 'data')
    const { store } = await openStore(folder)
    await store.accept([event('a')])
    await store.close()
    const opened = ['', 'bluepencil.sqlite', 'lock'].map((name) => join(folder, name))
    for (const path of opened) await chmod(path, 0o777)
    const { store: again, troubles } = await openStore(folder)
    expect(await Promise.all(opened.map(mode))).toEqual(['755', '755', '600'])
    expect(troubles).toEqual([expect.stringContaining(`${join(folder)} and 2 more in it could be written`)])
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
})
