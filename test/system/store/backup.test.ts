import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type PostgresServer, startPostgres } from '../../support/postgres/server.ts'
import { endAll, run } from '../e2e/process.ts'
import { backUpUnderLoad, type Newsroom, openNewsroom } from './backup-scene.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
}, 60_000)
afterAll(() => server.remove())
afterEach(endAll)

async function newsroom(): Promise<Newsroom> {
  const room = await openNewsroom()
  onTestFinished(() => room.close())
  return room
}

type Seen = Awaited<ReturnType<typeof backUpUnderLoad>>

function expectWhole(seen: Seen): void {
  const { made, restored, again, events, acceptedBefore, sentInBackup, toldBefore, toldAfter } = seen
  expect([made.code, restored.code, again.code]).toEqual([0, 0, 1])
  expect(again.stderr).toContain('never over what is there')
  const tally = JSON.parse(made.stdout) as { entries: number; hash: string }
  expect(JSON.parse(restored.stdout)).toMatchObject({ entries: tally.entries, hash: tally.hash })
  expect(tally.entries).toBe(events.size)
  // It was made while deliveries came in, and nothing from before is missing.
  expect(seen.acceptedAfter.size).toBeGreaterThan(acceptedBefore.size)
  expect([...acceptedBefore].filter((id) => !events.has(id))).toEqual([])
  // What the backup knows to be sent is not sent again; all else is, under the number that it had.
  expect(sentInBackup.filter((id) => toldAfter.get(id)?.length !== toldBefore.get(id)?.length)).toEqual([])
  expect([...events.keys()].filter((id) => !toldAfter.has(id))).toEqual([])
  expect([...toldAfter.values()].filter((numbers) => new Set(numbers).size > 1)).toEqual([])
  expect([seen.evidence.code, seen.verified.code]).toEqual([0, 0])
  expect(statSync(seen.file).mode & 0o777).toBe(0o600)
}

test('a backup of a folder beside a service under load is put elsewhere, whole, and served', {
  timeout: 400_000,
}, async () => {
  const room = await newsroom()
  const seen = await backUpUnderLoad(room, `file:${room.folder}/one`, `file:${room.folder}/two`)
  expectWhole(seen)
  expect(JSON.parse(seen.made.stdout)).toMatchObject({ batches: expect.any(Number) })

  const damaged = join(room.folder, 'damaged.tar.gz')
  const bytes = readFileSync(seen.file)
  bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] ?? 0) ^ 1
  writeFileSync(damaged, bytes)
  const third = await room.configuration('third', `file:${room.folder}/three`)
  expect(await run(['restore', damaged, '--config', third])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('nothing was restored'),
  })
  expect(existsSync(join(room.folder, 'three/state.json'))).toBe(false)
  // Nor is a file written over.
  const copy = join(room.folder, 'copy.tar.gz')
  copyFileSync(seen.file, copy)
  expect((await run(['backup', copy, '--config', seen.second])).code).toBe(2)
})

test('a backup of a database is put into another one, and served', { timeout: 400_000 }, async () => {
  const room = await newsroom()
  const seen = await backUpUnderLoad(room, await server.create(), await server.create())
  expectWhole(seen)
  expect(JSON.parse(seen.restored.stdout)).toMatchObject({ batches: expect.any(Number) })
})
