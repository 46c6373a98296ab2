import { expect, test } from 'vitest'
import { createMetrics } from '../../../src/app/metrics.ts'
import { alert, finding } from '../../support/fakes/events.ts'

test('each change is counted once, by the way that was first; confirmations are counted beside, and corrections are not', async () => {
  const metrics = createMetrics({
    backlog: async () => [],
    troubles: () => [],
    polling: () => undefined,
    budgetLeft: async () => undefined,
    now: () => 0,
    showsProcess: false,
  })
  metrics.change(alert())
  metrics.change(finding({ sameAs: 'evt_1' }))
  metrics.change(finding({ id: 'poll_2' }))
  metrics.change(alert({ id: 'evt_2', sameAs: 'poll_2' }))
  metrics.change(alert({ id: 'evt_3' }))
  metrics.change(alert({ id: 'evt_3~2', revises: 'evt_3' }))
  const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith('bluepencil_changes'))
  expect(lines).toEqual([
    'bluepencil_changes_total{by="webhook"} 2',
    'bluepencil_changes_total{by="poll"} 1',
    'bluepencil_changes_confirmed_total{by="poll"} 1',
    'bluepencil_changes_confirmed_total{by="webhook"} 1',
  ])
})
