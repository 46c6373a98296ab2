import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { hashOf } from '../../../src/console/access/password.ts'
import type { Outcome } from '../../../src/event/outcome.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import type { StoredEntry } from '../../../src/store/store.ts'
import { chainAll } from '../../support/chain-all.ts'
import { alert } from '../../support/fakes/events.ts'
import { postgresForTests } from '../../support/postgres/for-tests.ts'
import { openDesk } from '../../system/console/desk.ts'
import { until } from '../../system/crash/scene.ts'
import { endAll, run } from '../../system/e2e/process.ts'
import { backUpUnderLoad, type Newsroom, openNewsroom } from './backup-scene.ts'

const server = postgresForTests()
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
  expect(again.stderr).toContain('can only be restored into an empty')
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
  expect(existsSync(join(room.folder, 'three/bluepencil.sqlite'))).toBe(false)
  // Nor is a file written over.
  const copy = join(room.folder, 'copy.tar.gz')
  copyFileSync(seen.file, copy)
  expect((await run(['backup', copy, '--config', seen.second])).code).toBe(2)
})

test('a backup of a database is put into another one, and served', { timeout: 400_000 }, async () => {
  const room = await newsroom()
  const seen = await backUpUnderLoad(room, await server().createEmpty(), await server().createEmpty())
  expectWhole(seen)
  expect(JSON.parse(seen.restored.stdout)).toMatchObject({ batches: expect.any(Number) })
})

test('a restore ends every session of the console, and names the tokens that are good again', {
  timeout: 120_000,
}, async () => {
  const room = await newsroom()
  const password = await hashOf('a long password', { ln: 14, r: 8, p: 1 })
  const console = { users: [{ name: 'ana', password, role: 'admin' }] }
  const desk = await openDesk({ console }, { closing: () => {}, folder: join(room.folder, 'desk') })
  const ana = desk.visitor()
  await ana.signIn('ana', 'a long password')
  await ana.submit('/tokens', '/tokens', { name: 'archive', use: 'api' })
  await desk.app.stop()
  const file = join(room.folder, 'desk.tar.gz')
  const from = await room.configuration('desk', `file:${room.folder}/desk/data`)
  expect((await run(['backup', file, '--config', from])).code).toBe(0)
  const to = await room.configuration('again', `file:${room.folder}/again/data`)
  const restored = await run(['restore', file, '--config', to])
  expect(restored).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /\n1 token of the console works again.*token revoke ID:\n {2}tok_\w+ {2}archive, for api\n/,
    ),
  })
  const again = await openDesk({ console }, { folder: join(room.folder, 'again') })
  const visitor = again.visitor()
  visitor.cookies.set('bluepencil_console', ana.cookies.get('bluepencil_console') ?? '')
  expect((await visitor.see('/log')).status).toBe(303)
})

describe('what was held when the backup was made', () => {
  const hour = 3_600_000
  /** Two whose wait has ended since, and one that waits until tomorrow. */
  async function heldThere(room: Newsroom, config: string): Promise<void> {
    const now = Date.now()
    const store = await openSqliteStore(join(room.folder, 'held'), { now: Date.now, onTrouble: () => {} })
    for (const [number, ms] of [-hour, -hour, 24 * hour].entries()) {
      const id = `evt_load_${number + 1}`
      const detectedAt = new Date(now - 2 * hour).toISOString()
      const until = new Date(now + ms).toISOString()
      const held: Outcome = { state: 'held', until, by: 'quiet', why: 'quiet hours' }
      await store.accept([{ entry: alert({ id, detectedAt }), outcomes: { own: held } }])
    }
    await chainAll({ store, now: Date.now })
    await store.close()
    expect((await run(['backup', join(room.folder, 'held.tar.gz'), '--config', config])).code).toBe(0)
  }

  const states = (events: Map<string, StoredEntry>) =>
    [1, 2, 3].map((number) => events.get(`evt_load_${number}`)?.outcomes.own?.state)

  test.each(['folder', 'database'])(
    'may have been sent since: into a %s it is not sent, and is there to be sent by hand',
    { timeout: 120_000 },
    async (kind) => {
      const room = await newsroom()
      await heldThere(room, await room.configuration('first', `file:${room.folder}/held`))
      const file = join(room.folder, 'held.tar.gz')
      const place = kind === 'folder' ? `file:${room.folder}/new` : await server().createEmpty()
      const config = await room.configuration('second', place)
      const restored = await run(['restore', file, '--config', config])
      expect(restored.code).toBe(0)
      expect(restored.stdout).toContain('2 notifications were held and have fallen due since.')
      const serving = await room.serve(config)
      expect(states(await room.events(config))).toEqual(['failed', 'failed', 'held'])
      const listed = await run(['events', '--failed', '--json', '--config', config])
      expect(listed.stdout.trimEnd().split('\n')).toHaveLength(2)
      expect((await run(['explain', 'evt_load_1', '--config', config])).stdout).toContain(
        'the old installation may have sent it after that',
      )
      expect((await run(['replay', 'evt_load_1', 'own', '--config', config])).code).toBe(0)
      await until('it is sent', async () => states(await room.events(config))[0] === 'sent')
      // A batch that comes now says that it follows a backup.
      await room.deliver('evt_load_4')
      await until('it is told', () => room.told().has('evt_load_4'))
      serving.kill()
      await serving.ended
      const again = await room.serve(config)
      const proof = [
        'evidence',
        'evt_load_4',
        '--config',
        config,
        '--output',
        join(room.folder, 'proof.json'),
      ]
      await until('it is chained', async () => (await run(proof)).code !== 1)
      const { stdout } = await run(['chain', '--config', config])
      expect(stdout).toMatch(/^2 .*\na new stretch begins with 2 \S+: a backup of \S+ was restored: /)
      again.kill()
      await again.ended
      // Nobody has to look for what was done to the chain.
      const notices = (await run(['events', '--json', '--config', config])).stdout
      expect(notices).toContain('The hash chain of evidence continues from a backup')
      expect(notices).not.toContain('was changed or damaged')
      expect([...room.told().keys()].toSorted()).toEqual(['evt_load_1', 'evt_load_4'])
      expect([...room.told().values()].map((tries) => tries.length)).toEqual([1, 1])
    },
  )

  test('goes out with --send-held, once', { timeout: 120_000 }, async () => {
    const room = await newsroom()
    await heldThere(room, await room.configuration('first', `file:${room.folder}/held`))
    const config = await room.configuration('second', `file:${room.folder}/new`)
    const restored = await run([
      'restore',
      join(room.folder, 'held.tar.gz'),
      '--send-held',
      '--config',
      config,
    ])
    expect(restored).toMatchObject({ code: 0, stdout: expect.not.stringContaining('fallen due') })
    const serving = await room.serve(config)
    const isOut = async () =>
      !states(await room.events(config))
        .slice(0, 2)
        .includes('held')
    await until('both are out', isOut)
    await until('the message is there', () => room.told().size > 0)
    serving.kill()
    await serving.ended
    const [one, other, held] = states(await room.events(config))
    expect([one, other, held]).toEqual(['merged', 'merged', 'held'])
    expect([...room.told().values()].flat()).toHaveLength(1)
  })
})
