import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { expectActs } from '../../system/e2e/demo-acts.ts'
import { endAll, run, start } from '../../system/e2e/process.ts'

afterEach(endAll)

const temporary = () => mkdtempSync(join(tmpdir(), 'demo-'))

test('demo --once ends after its last act, and leaves nothing behind', async () => {
  const folder = temporary()
  const { code, stdout, stderr } = await run(['demo', '--once'], { env: { TMPDIR: folder } })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(readdirSync(folder)).toEqual([])
  expectActs(stdout)
})

test('Ctrl+C ends the demo in the middle of its acts, and nothing is left behind', async () => {
  const folder = temporary()
  const demo = start(['demo'], { env: { TMPDIR: folder } })
  await vi.waitUntil(() => demo.stdout().includes('forges a webhook'), { timeout: 50_000 })
  demo.kill('SIGINT')
  expect(await demo.ended).toBe(0)
  expect(demo.stderr()).toBe('')
  expect(demo.stdout()).not.toContain('In all')
  expect(readdirSync(folder)).toEqual([])
})

test('the demo ends and leaves nothing behind when nobody reads on', async () => {
  const folder = temporary()
  const { stdout, stderr } = await run(['demo'], {
    env: { TMPDIR: folder },
    through: ['sh', '-c', '"$@" | head -n 1', 'sh'],
  })
  expect(stdout).toBe('Bluepencil demo\n')
  expect(stderr).toBe('')
  expect(readdirSync(folder)).toEqual([])
})
