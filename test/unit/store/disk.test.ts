import { readFileSync, readlinkSync } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { realDisk } from '../../../src/store/lowdb/disk.ts'
import { temporaryFolder } from './folder.ts'

it.skipIf(process.platform !== 'linux')(
  'a copy is whole and on disk (fsync) when it is reported',
  async () => {
    const folder = await temporaryFolder()
    const [from, to] = [join(folder, 'from'), join(folder, 'to')]
    await writeFile(from, 'text')
    const handle = await open(from)
    const sync = vi.spyOn(Object.getPrototypeOf(handle), 'sync')
    await handle.close()
    const synced: string[] = []
    sync.mockImplementation(function (this: typeof handle) {
      synced.push(`${readlinkSync(`/proc/self/fd/${this.fd}`)}: ${readFileSync(to, 'utf8')}`)
    })
    await realDisk.copy(from, to)
    sync.mockRestore()
    expect(synced).toEqual([`${to}: text`])
    await expect(realDisk.copy(from, to)).rejects.toMatchObject({ code: 'EEXIST' })
  },
)
