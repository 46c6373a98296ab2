import { expect, test } from 'vitest'
import { filteringOf } from '../../../src/app/console.ts'
import type { Entry } from '../../../src/event/event.ts'
import { recallFilters } from '../../../src/people/converse/filters.ts'
import { configOf } from '../../support/app.ts'
import { alert } from '../../support/fakes/events.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../support/memory-store.ts'

test('filters are tried on recent alerts, even if one of them was stored while the clock was years behind', async () => {
  const clock = createManualClock(Date.parse('2026-11-23T10:00:00.000Z'))
  const store = createMemoryBacking(clock).open()
  const receivedAt = ['2026-09-01', '2016-01-01', '2026-11-20'].map((day) => `${day}T10:00:00.000Z`)
  for (const [index, at] of receivedAt.entries())
    await store.accept([{ entry: alert({ id: `evt_${index}`, receivedAt: at }), outcomes: {} }])
  const tried: Entry[] = []
  const file = configOf([{ name: 'desk', type: 'console' }])
  const filters = await recallFilters({ read: async () => undefined, change: async () => 'unchanged' })
  const { tryFilters } = filteringOf(
    { store, clock, filters },
    {
      configEditing: {
        channel: () => undefined,
        change: async () => ({ result: 'changed' }),
        revision: () => 0,
      },
      effective: { composed: () => file, settingsChanged: async () => {} },
      environment: {
        async tryFilters({ entries }) {
          tried.push(...entries)
          const at = new Date(clock.now()).toISOString()
          return {
            from: at,
            alerts: 0,
            messages: { asItIs: 0, changed: 0 },
            became: [],
            added: [],
            dropped: [],
          }
        },
      },
    },
  )
  await tryFilters('desk', { direction: 'both' })
  expect(tried.map(({ id }) => id)).toEqual(['evt_2', 'evt_0'])
})
