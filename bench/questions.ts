import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { filteringOf } from '../src/app/console.ts'
import { createStatusReports } from '../src/app/reports.ts'
import { ledger } from '../src/commands/ledger.ts'
import { readConfigFile } from '../src/config/load.ts'
import { resolveReached } from '../src/operators/reports.ts'
import { isCategory } from '../src/people/converse/acts.ts'
import { recallFilters } from '../src/people/converse/filters.ts'
import { dayMs } from '../src/platform/durations.ts'
import { keepLedger } from '../src/record/ledger/daily.ts'
import { openSqliteStore } from '../src/store/sqlite/open.ts'
import { fill } from './fill.ts'

/** How long it takes to answer what is asked about all that is stored: a minute apart, 69 days for 100,000 alerts. */
const count = Number(process.argv[2] ?? 100_000)
const folder = mkdtempSync(join(tmpdir(), 'questions-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const data = join(folder, 'data')
const file = join(folder, 'bluepencil.yaml')
writeFileSync(
  file,
  `store: file:${data}\nchannels:\n  - { name: ai-desk, type: console, statusReport: weekly }\n  - { name: politics, type: console }\n`,
)
await fill(data, 0, count)
const terminal = {
  out() {},
  note() {},
  width: 80,
  colour: false,
}
console.log(`${count} alerts; milliseconds, the best of three`)
await timed('ledger, 30 days, as a command', () => ledger({ config: file, json: true }, terminal as never))

const store = await openSqliteStore(data, { now: Date.now, onTrouble: console.error, onLost: console.error })
const clock = { now: Date.now, sleep: async () => {} }
const config = readConfigFile(file, {}).compose({})
await timed('ledger of the day before', async () => {
  const ending = new AbortController()
  const midnight = Math.floor(Date.now() / dayMs) * dayMs
  const before = { now: () => midnight - 1, sleep: async () => {} }
  const onDay = () => ending.abort()
  await keepLedger({ clock: before, store, windowMs: dayMs, onDay, onError: console.error }, ending.signal)
})
await timed('weekly report', async () => {
  const incidents = { current: () => [] }
  const accept = async () => 'new' as const
  await createStatusReports(
    { clock: clock as never, store, incidents },
    { current: () => ({ config }), accept },
  )()
})
const filters = await recallFilters({ read: async () => undefined, change: async () => 'unchanged' })
await timed('trial of filters: reading what came in', async () => {
  const environment = { tryFilters: async () => ({}) as never }
  const configEditing = { channel: () => undefined, change: async () => ({}) as never, revision: () => 0 }
  const effective = { composed: () => config, settingsChanged: async () => {} }
  const parts = { environment, effective, configEditing }
  await filteringOf({ store, clock: clock as never, filters }, parts).tryFilters('ai-desk', {
    direction: 'both',
  })
})
await timed('a category that no alert had', () => isCategory(store, 'nothing'))
await timed('what a channel was sent since an hour ago', () =>
  resolveReached('policy-mail', {
    store,
    incidents: {
      current: () => [
        { key: 'channel:policy-mail', since: new Date(Date.now() - dayMs / 24).toISOString() } as never,
      ],
      resolves() {},
    },
  }),
)
await store.close()

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const took: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const began = performance.now()
    await work()
    took.push(performance.now() - began)
  }
  console.log(
    `${Math.min(...took)
      .toFixed(1)
      .padStart(9)}  ${what}`,
  )
}
