import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { endAll, run, start } from '../../system/e2e/process.ts'

afterAll(endAll)

/** A file that names a channel made in the browser, and settings in which it is. */
function installation(store: string) {
  const folder = mkdtempSync(join(tmpdir(), 'unreadable-'))
  writeFileSync(
    join(folder, 'b.yaml'),
    `store: ${store}\ncopies: 0\nserver: { host: 127.0.0.1, port: 0 }\nconsole: { listen: { port: 0 } }\nchannels: [{ name: desk, type: console }]\noperators: [desk, browser-made]\n`,
  )
  return { folder, serve: ['serve', '--config', 'b.yaml'] }
}

test('a database that is away at a start is no fault of the file: systemd starts it again', async () => {
  const { folder, serve } = installation('postgres://nobody:hidden-word@127.0.0.1:9/none')
  const { code, stderr } = await run(serve, { cwd: folder })
  expect([code, stderr]).toEqual([1, expect.stringContaining('ECONNREFUSED')])
  expect(stderr).not.toMatch(/browser-made|hidden-word/)
})

test('a command without the database says that the settings could not be read', async () => {
  const { folder } = installation('postgres://nobody:hidden-word@127.0.0.1:9/none')
  const { code, stderr } = await run(['preview', 'desk', '--config', 'b.yaml'], { cwd: folder })
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining('settings made in the browser could not be read'),
  ])
  expect(stderr).not.toContain('hidden-word')
})

test('with damaged settings the service starts without what they had', async () => {
  const { folder, serve } = installation('file:./data')
  mkdirSync(join(folder, 'data'), { mode: 0o700 })
  const store = await openSqliteStore(join(folder, 'data'), { now: Date.now, onTrouble: () => {} })
  await store.close()
  writeFileSync(join(folder, 'data', 'settings.json'), '{ "revision": 3, "config": { "slack": { "token": "xo')
  const serving = start(serve, { cwd: folder })
  await vi.waitUntil(() => serving.log().some(({ message }) => message === 'ready'))
  expect(serving.stderr()).toContain('settings.json cannot be read and is kept')
  serving.kill()
  expect(await serving.ended).toBe(0)
})

test('check fails for what was made in the browser and is not in use, and says why', async () => {
  const { folder } = installation('file:./data')
  mkdirSync(join(folder, 'data'), { mode: 0o700 })
  const store = await openSqliteStore(join(folder, 'data'), { now: Date.now, onTrouble: () => {} })
  await store.close()
  const channels = [
    { name: 'browser-made', type: 'console' },
    { name: 'no-account', type: 'slack', to: '#desk' },
  ]
  const settings = { revision: 1, config: { revision: 1, channels } }
  writeFileSync(join(folder, 'data', 'settings.json'), JSON.stringify(settings))
  const { code, stdout } = await run(['check', '--config', 'b.yaml'], { cwd: folder })
  expect(code).toBe(1)
  expect(stdout).toMatch(/FAIL {2}made in the browser: .*no-account/)
})
