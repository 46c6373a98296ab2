import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { payload } from './requests.ts'
import { median, type Row } from './table.ts'

/** Part (d): what a store of so many events takes on disk, nothing of it compressed or left out. */
export async function measureDisk(store: string, events: number): Promise<Row> {
  let bytes = 0
  for (const name of await readdir(store, { recursive: true })) {
    const { size, isFile } = await sizeOf(join(store, name))
    if (isFile) bytes += size
  }
  const body = Buffer.byteLength(payload('evt_01HZX00000000000000000', Date.now()))
  return {
    what: 'on disk for each event',
    result: `${Math.round(bytes / events)} bytes`,
    remark: `a body of ${body} bytes, 3 outcomes, 2 messages`,
  }
}

/** How long 4 KiB take to be on the disk under the folder, milliseconds: what bounds a single commit. */
export async function syncTime(folder: string): Promise<number> {
  const path = join(folder, 'sync')
  const file = await open(path, 'w')
  const took: number[] = []
  for (let offset = 0; offset < 100; offset++) {
    await file.write(Buffer.alloc(4096), 0, 4096, offset * 4096)
    const begun = performance.now()
    await file.datasync()
    took.push(performance.now() - begun)
  }
  await file.close()
  await rm(path)
  return median(took)
}

async function sizeOf(path: string): Promise<{ size: number; isFile: boolean }> {
  const stats = await stat(path)
  return { size: stats.size, isFile: stats.isFile() }
}
