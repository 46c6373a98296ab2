import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { endAll, run, start } from './process.ts'

afterEach(endAll)

test('the demo shows within ten seconds how an event reads in Slack, Discord and e-mail, and leaves nothing behind', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-'))
  const demo = start(['demo'], { env: { TMPDIR: folder } })
  const shown = (text: RegExp) => vi.waitUntil(() => text.test(demo.stdout()), { timeout: 10_000 })
  await shown(/#newsroom|newsroom/)
  await shown(/Subject: .*percentage point/)
  await shown(/evt_/)
  demo.kill('SIGINT')
  expect(await demo.ended).toBe(0)
  expect(demo.stderr()).toBe('')
  expect(readdirSync(folder)).toEqual([])
})

test('the demo ends and leaves nothing behind when nobody reads on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-'))
  const { stdout, stderr } = await run(['demo'], {
    env: { TMPDIR: folder },
    through: ['sh', '-c', '"$@" | head -n 1', 'sh'],
  })
  expect(stdout).toBe('Bluepencil demo\n')
  expect(stderr).toBe('')
  expect(readdirSync(folder)).toEqual([])
})
