import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const asking = [
  '',
  "  import { createBudget } from './src/service/client/budget.ts'",
  "  import { fileBudgetStore } from './src/service/client/budget.ts'",
  "  import { systemClock as clock } from './src/platform/clock.ts'",
  "  const budget = createBudget({ tier: 100, share: 'people', budgetStore: fileBudgetStore(process.argv[1], clock), clock })",
  '  let granted = 0',
  '  for (let ask = 0; ask < 12; ask++) await budget.take().then(() => { granted += 1 }, () => {})',
  '  process.stdout.write(String(granted))',
  '',
].join('\n')

/** As if a disk is slow under another process: for longer than SQLite waits in most programs. */
const writing = `
  import { DatabaseSync } from 'node:sqlite'
  const database = new DatabaseSync(process.argv[1] + '/people-budget.sqlite')
  database.exec('BEGIN IMMEDIATE')
  process.stdout.write('it is writing')
  setTimeout(() => database.exec('COMMIT'), 3_000)
`

const newFolder = () => mkdtempSync(join(tmpdir(), 'budget-'))

function begin(script: string, folder: string) {
  const { stdout } = spawn(process.execPath, ['--input-type=module', '-e', script, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return stdout
}

/** How many of twelve requests a process may make. */
const granted = async (folder: string) => Number(await text(begin(asking, folder)))

test('several processes at once spend the bucket that commands share once, and only its user can read it', async () => {
  const folder = newFolder()
  const counts = await Promise.all([1, 2, 3].map(() => granted(folder)))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(15)
  expect(statSync(join(folder, 'people-budget.sqlite')).mode & 0o777).toBe(0o600)
})

test('who finds it being written waits, and spends no bucket of its own', async () => {
  const folder = newFolder()
  expect(await granted(folder)).toBe(12)
  const writer = begin(writing, folder)
  await once(writer, 'readable')
  expect(await granted(folder)).toBe(3)
})
