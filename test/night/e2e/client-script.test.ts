import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../../src/service/sandbox/sandbox.ts'
import { clientScript } from '../../support/client-script.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'

test('the script in docs/client.md runs as it stands, in a folder where npm installed the checkout', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bluepencil-client-'))
  const clock = createManualClock(Date.UTC(2026, 10, 21, 12))
  const sandbox = await startSandbox({ port: 0, seed: 7, clock })
  onTestFinished(async () => {
    await sandbox.close()
    rmSync(folder, { recursive: true })
  })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(process.cwd(), join(folder, 'node_modules', 'bluepencil'))
  writeFileSync(join(folder, 'script.mts'), clientScript(sandbox.url))

  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['script.mts'], { cwd: folder })
  expect(stderr).toBe('')
  expect(stdout).toMatch(/^2026-08-\d\dT\S+Z version \d\.\d: [1-9]\d?(\.\d)?% of 200\n/)
  expect(stdout).toMatch(/\npub_2026-10-monthly Refusals in October 2026\n/)
  expect(stdout).toContain(`\n${statSync(join(folder, 'daily-rates.csv')).size} bytes\n`)
  expect(stdout).toMatch(/\nNOT_FOUND GET .* answered 404: /)
})
