import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { command } from '../../support/command.ts'
import { allOf, read } from '../../support/markdown.ts'
import { minuteMs } from './desk.ts'
import { openNewsroom } from './newsroom.ts'

test('the analysis in the docs comes to the levels that the alert shows', async () => {
  const newsroom = await openNewsroom({ publicUrl: false })
  await newsroom.pass(5 * minuteMs)
  await newsroom.fire({ model: 'claude', category: 'political', delta: 25, type: 'censorship_spike' })
  await newsroom.pass(5 * minuteMs)
  const folder = mkdtempSync(join(tmpdir(), 'bp-analysis-'))
  for (const table of ['changes', 'figures']) {
    const { code, out } = await command([
      'figures',
      'export',
      '--config',
      newsroom.configFile,
      '--table',
      table,
      '--jsonl',
    ])
    expect(code).toBe(0)
    writeFileSync(join(folder, `${table}.jsonl`), out)
  }
  const code = allOf('code', read('docs/data.md')).find(({ lang }) => lang === 'js')
  expect(code?.text.split('\n').length).toBeLessThanOrEqual(20)
  writeFileSync(join(folder, 'analyse.mjs'), code?.text ?? '')
  const { stdout, stderr } = spawnSync(process.execPath, ['analyse.mjs'], { cwd: folder, encoding: 'utf8' })
  expect(stderr).toBe('')
  const [, ...row] =
    /^\S+ before ([\d.]+) now ([\d.]+), in the alert ([\d.]+) and ([\d.]+)$/m.exec(stdout) ?? []
  const [before = 0, now = 0, shownBefore = 0, shownNow = 0] = row.map(Number)
  expect({ stdout, before, now }).toMatchObject({
    before: expect.closeTo(shownBefore, 0),
    now: expect.closeTo(shownNow, 0),
  })
  expect(now - before).toBeGreaterThan(15)
  expect(newsroom.shown('desk').join('\n')).toContain(`${shownNow}%`)
  const [alert] = await newsroom.alerts()
  const { out: explained } = await command(
    ['explain', alert?.entry.id ?? '', '--config', newsroom.configFile],
    300,
  )
  expect(explained).toMatch(/figures: very unlikely to be chance: 95% range \+[\d.]+ to \+[\d.]+ points/)
  expect(explained).toContain('about one false alert in 21 simulated years')
})
