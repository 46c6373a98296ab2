import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, test, vi } from 'vitest'
import { endAll } from '../e2e/process.ts'
import { openServingDesk } from './serving-desk.ts'

afterEach(endAll)

test('a question in a chat that waits for the budget of commands holds up nothing else', async () => {
  const { folder, origin, people } = await openServingDesk()
  const command = new DatabaseSync(join(folder, 'data', 'people-budget.sqlite'))
  command.exec('BEGIN IMMEDIATE')
  const { payload, afterMs } = await people.send(people.command('history claude'))
  expect(payload?.text).toMatch(/^This takes longer/)
  expect(afterMs).toBeLessThan(3_000)
  expect((await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(2_000) })).status).toBe(200)
  command.exec('COMMIT')
  await vi.waitFor(() => expect(JSON.stringify(people.told)).toContain('percent per day'))
})
