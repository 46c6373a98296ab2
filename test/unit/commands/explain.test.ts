import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Outcome } from '../../../src/event/outcome.ts'
import { openLowdbStore } from '../../../src/store/lowdb/open.ts'
import { alert } from '../../support/fakes/events.ts'
import { run } from '../../system/e2e/process.ts'

const at = '2026-11-21T13:10:00.000Z'

test('explain says what stays uncertain of each channel', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'explain-'))
  const store = await openLowdbStore(join(folder, 'data'), { now: Date.now, onTrouble: () => {} })
  const outcomes: Record<string, Outcome> = {
    given: { state: 'failed', at, attempts: 4, why: 'given up', unanswered: 4 },
    late: { state: 'sent', at, attempts: 2, receipt: { text: 'r' }, unanswered: 1 },
    open: { state: 'waiting', dueAt: at, why: 'no answer', attempts: 1, unanswered: 1 },
    busy: { state: 'waiting', dueAt: at, why: 'not tried yet', attempts: 0, begun: at },
    well: { state: 'sent', at, attempts: 1, receipt: { text: 'r' } },
  }
  await store.accept([{ entry: alert({ id: 'evt_1' }), outcomes }])
  await store.close()
  const config = join(folder, 'bluepencil.yaml')
  await writeFile(config, `store: file:${folder}/data\nchannels:\n  - { name: desk, type: console }\n`)
  const { code, stdout } = await run(['explain', 'evt_1', '--config', config])
  expect(code).toBe(0)
  const said = Object.fromEntries(
    stdout.split('\n').flatMap((line) => {
      const [, channel, reason] = /^ {2}(\w+) +(.*)$/.exec(line) ?? []
      return channel === undefined ? [] : [[channel, reason]]
    }),
  )
  expect(said.given).toMatch(/given up; 4 tries ended without an answer, so it may be there 4 times$/)
  expect(said.late).toMatch(/: r; 1 try ended without an answer before, so it may be there 2 times$/)
  expect(said.open).toMatch(/no answer; 1 try ended without an answer, so it may be there$/)
  expect(said.busy).toMatch(
    /a try is under way since 2026-11-21T13:10:00\.000Z, 0 tries so far: not tried yet$/,
  )
  expect(said.well).toMatch(/1 try: r$/)
})
