import { expect, test } from 'vitest'
import type { Outcome } from '../../../src/event/outcome.ts'
import { resolveReached } from '../../../src/operators/reports.ts'
import { alert } from '../../support/fakes/events.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../support/memory-store.ts'

const since = '2026-11-22T08:46:21.210Z'
const sentAt = (at: string): Outcome => ({ state: 'sent', at, attempts: 6, receipt: { text: 'r' } })

/** What is reported as resolved when a process takes over the channel, by the outcome of its newest message. */
async function resolved(outcome: Outcome, open = ['channel:desk']): Promise<string[]> {
  const store = createMemoryBacking(createManualClock(Date.parse(since))).open()
  await store.accept([{ entry: alert(), outcomes: { desk: outcome } }])
  const ends: string[] = []
  const current = open.map((key) => ({ key, since }))
  const incidents = {
    current: () => current as never,
    resolves: (key: string, text: string) => void ends.push(`${key}: ${text}`),
  }
  await resolveReached('desk', { store, incidents })
  return ends
}

test('a message that got through since the incident began ends it, though its process was killed before it said so', async () => {
  expect(await resolved(sentAt('2026-11-22T09:49:08.844Z'))).toEqual([
    'channel:desk: desk: messages are getting through again',
  ])
})

test.each<[string, Outcome, string[]?]>([
  ['one that got through before', sentAt('2026-11-22T08:40:00.000Z')],
  ['one that waits', { state: 'waiting', dueAt: since, why: '', attempts: 3 }],
  ['one that failed', { state: 'failed', at: '2026-11-22T09:49:08.844Z', attempts: 9, why: 'gone' }],
  ['the incident of another channel', sentAt('2026-11-22T09:49:08.844Z'), ['channel:mail']],
])('%s ends none', async (_, outcome, open) => expect(await resolved(outcome, open)).toEqual([]))
