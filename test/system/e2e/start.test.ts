import { expect, test } from 'vitest'
import { start } from './process.ts'

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

test('where nothing is to be kept, it starts all the same', async () => {
  const { code, out, err } = await version({ NODE_DISABLE_COMPILE_CACHE: '1' })
  expect([code, err]).toEqual([0, ''])
  expect(out).not.toBe('')
})

test('a Node that is too old is told apart from a fault of the program', async () => {
  const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`
  const { code, out, err } = await version({}, older)
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(
    /^Bluepencil needs Node 26, this is v\S+ In its folder, npm ci installs that Node;.*\n$/,
  )
})
