import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDiskScene, succeeds } from './disk-scene.ts'
import { serve } from './serving.ts'

/** In a space of its own where a disk can be mounted, also without being root. */
const ownSpace = ['unshare', '-Urm', 'sh', '-c']
const mount = 'mkdir -p "$0" && mount -t tmpfs -o size=4m tmpfs "$0" && exec "$@"'
const canMount = succeeds([...ownSpace, mount, tmpdir(), 'true'])

test.skipIf(!canMount)(
  'a full disk: no 2xx, a notice, and when there is space again everything arrives once',
  { timeout: 60_000 },
  async () => {
    const { newsroom, losesNothing } = await openDiskScene()
    onTestFinished(newsroom.close)
    const data = join(newsroom.folder, 'data')
    const serving = await serve(newsroom, { through: [...ownSpace, mount, data] })
    const ballast = `/proc/${serving.pid}/root${data}/ballast`
    await losesNothing(
      () => {
        expect(() => writeFileSync(ballast, Buffer.alloc(2 ** 23))).toThrow('ENOSPC')
      },
      () => rmSync(ballast),
    )
    expect(serving.stderr()).toContain('the disk is full (ENOSPC)')
  },
)
