import { createServer } from 'node:http'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { route } from '../../../src/route/route.ts'
import { dayMs, hourMs, minuteMs } from '../../../src/durations.ts'
import { readDelivery } from '../../../src/event/delivery.ts'
import type { AlertEvent } from '../../../src/event/event.ts'
import type { NewEntry } from '../../../src/store/store.ts'
import { command } from '../../support/command.ts'
import { finding } from '../../support/fakes/events.ts'
import { configured } from '../../support/served.ts'

const now = Date.now()

/** An alert that came in so long ago, as the service delivers it. */
function came(id: string, agoMs: number, delta: string, category = 'political'): AlertEvent {
  const receivedAt = new Date(now - agoMs).toISOString()
  const data = { category, delta, detected_at: new Date(now - agoMs - minuteMs).toISOString() }
  const body = { id, type: 'censorship_spike', model: 'claude', data, methodology: 'https://monitor.example/m' }
  return readDelivery(Buffer.from(JSON.stringify(body)), { source: 'webhook', receivedAt })
}

const old = `
channels:
  - { name: desk, type: console }
  - { name: gone, type: console }
`
const fresh = `
channels:
  - { name: desk, type: console, minDelta: 5 }
  - { name: politics, type: slack, webhookUrl: "https://hooks.slack.com/services/T/B/x", categories: [political] }
`

async function desk(...entries: AlertEvent[]) {
  const made = configured(old)
  const store = /^store: .*$/m.exec(`store: file:${made.folder}/data`)?.[0]
  const other = join(made.folder, 'new.yaml')
  writeFileSync(other, `${store}\n${fresh}`)
  await made.store(...entries.map((entry): NewEntry => ({ entry, outcomes: {} })))
  return { ...made, old: made.file, fresh: other }
}

const history = [
  came('evt_old', 95 * dayMs, '+30pp'),
  came('evt_1', 60 * dayMs, '+12pp'),
  came('evt_2', 30 * dayMs, '+3pp'),
  came('evt_3', 2 * dayMs, '+8pp', 'safety'),
]

test('shows', async () => {
  const { fresh, old } = await desk(...history)
  for (const argv of [[], ['--against', old], ['--json', '--against', old]]) {
    const { out, notes, code } = await command(['backtest', '--config', fresh, ...argv])
    console.log(code, notes, out)
  }
})
