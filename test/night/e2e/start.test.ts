import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { start } from '../../system/e2e/process.ts'

/** Runs the program to its end; `before` is a script that Node runs first. */
async function version(env: Record<string, string>, before = '') {
  const process = start(['--version'], {
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(before)}`, ...env },
  })
  return { code: await process.ended, out: process.stdout(), err: process.stderr() }
}

test('what was compiled at one start is not compiled at the next', async () => {
  const env = { NODE_DEBUG_NATIVE: 'COMPILE_CACHE', NODE_COMPILE_CACHE: '' }
  await version(env)
  const { code, out, err } = await version(env)
  expect([code, out]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)])
  expect(err).toMatch(/retrieving transpile cache for .*\/src\/commands\/program\.ts\.\.\.success/)
  expect(err).not.toContain('no transpile cache for')
})

test('the threads of the store find what was compiled where the program keeps it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'start-'))
  writeFileSync(
    join(folder, 'desk.yaml'),
    'server: { host: 127.0.0.1, port: 0 }\nchannels: [{ name: desk, type: console }]\n',
  )
  const serving = start(['serve', '--config', 'desk.yaml'], {
    cwd: folder,
    env: { NODE_DEBUG_NATIVE: 'COMPILE_CACHE', NODE_COMPILE_CACHE: '' },
  })
  await expect.poll(() => serving.log().map(({ message }) => message), { timeout: 20_000 }).toContain('ready')
  serving.kill()
  expect(await serving.ended).toBe(0)
  expect(serving.stderr()).toMatch(/ cache from \S*\/v\d+\.[^/]*\/\w+ for /)
  // A folder of Node's version within another.
  expect(serving.stderr()).not.toMatch(/\/v\d+\.[^/]*\/v\d+\./)
})

test('where nothing is to be kept, it starts all the same', async () => {
  const { code, out, err } = await version({ NODE_DISABLE_COMPILE_CACHE: '1' })
  expect([code, err]).toEqual([0, ''])
  expect(out).not.toBe('')
})

/** What Node runs first, to pass for an older one. */
const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`

test('the message for a Node that is too old differs from that for a fault of the program', async () => {
  const { code, out, err } = await version({}, older)
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(
    /^Bluepencil needs Node 26, this is v\S+ In its folder, npm ci installs that Node;.*\n$/,
  )
})

test('tests that are begun with a Node that is too old say so in one sentence, and do not run', async () => {
  const vitest = new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url).pathname
  const begun = spawn(process.execPath, [vitest, 'run', 'test/unit/clock.test.ts'], {
    env: { ...process.env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(older)}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(begun, 'close')
  const [out, err] = await Promise.all([text(begun.stdout), text(begun.stderr)])
  expect([(await ended)[0], out]).toEqual([1, ''])
  expect(err).toMatch(/^The tests need Node 26, this is v\S+ Use npm test, or npx vitest run FILE\.\n$/)
})
