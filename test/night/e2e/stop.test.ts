import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { endAll } from '../../system/e2e/process.ts'
import { configIn, endByParent, endsOfAStart, longestStopMs, stopAfter } from '../../system/e2e/stopping.ts'

afterEach(endAll)

test.each([0, 100, 200, 400, 600])('a stop signal %s ms after the start works', async (at) => {
  const { code, milliseconds } = await stopAfter(
    configIn(mkdtempSync(join(tmpdir(), 'bluepencil-stop-'))),
    at,
  )
  expect(endsOfAStart).toContain(code)
  expect(milliseconds).toBeLessThan(longestStopMs)
})

test('SIGTERM to npm, which passes no signal on, ends what it started, and no process is left', async () => {
  const { before, after } = await endByParent('npm', ['start', '--', '--seed', '770417701'])
  expect(before).not.toEqual([])
  expect(after).toEqual([])
})

test('SIGTERM to npx, which passes no signal on, ends what it started, and no process is left', async () => {
  const { before, after } = await endByParent('npx', [
    'bluepencil',
    'serve',
    '--config',
    configIn(mkdtempSync(join(tmpdir(), 'bluepencil-stop-'))),
  ])
  expect(before).not.toEqual([])
  expect(after).toEqual([])
})
