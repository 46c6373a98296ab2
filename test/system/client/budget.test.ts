import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('several processes at once spend the bucket that commands share once, and only its user can read it', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'budget-')), 'people-budget.sqlite')
  const script = `
    import { createBudget } from './src/client/budget/budget.ts'
    import { fileBudgetStore } from './src/client/budget/store.ts'
    import { systemClock as clock } from './src/clock.ts'
    const budget = createBudget({ tier: 100, share: 'people', budgetStore: fileBudgetStore(process.argv[1], clock), clock })
    let granted = 0
    for (let ask = 0; ask < 12; ask++) await budget.take().then(() => { granted += 1 }, () => {})
    process.stdout.write(String(granted))
  `
  const counts = await Promise.all(
    [1, 2, 3].map(async () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script, file], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let text = ''
      child.stdout.on('data', (chunk) => {
        text += chunk
      })
      await once(child, 'close')
      return Number(text)
    }),
  )
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(15)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})
