import { describe, expect, test } from 'vitest'
import { changesOf } from '../../../../src/console/feed/changes.ts'
import { feedOf } from '../../../../src/console/feed/feed.ts'
import { readAlerts } from '../../../../src/console/query.ts'
import type { AlertEvent, ReportedAlert } from '../../../../src/event/event.ts'
import { render } from '../../../../src/message/render/render.ts'
import { systemClock } from '../../../../src/platform/clock.ts'
import { dayMs } from '../../../../src/platform/durations.ts'
import { alert, finding } from '../../../support/fakes/events.ts'
import { createMemoryBacking } from '../../../support/memory-store.ts'

const now = Date.now()
const daysAgo = (days: number) => new Date(now - days * dayMs).toISOString()

function reportedAlert(of: AlertEvent): ReportedAlert {
  const { id, type, model, category, delta, detectedAt } = of
  return { id, by: of.source === 'poll' ? 'figures' : 'service', type, model, category, delta, detectedAt }
}

async function changesIn(alerts: AlertEvent[], shown = alerts) {
  const store = createMemoryBacking(systemClock).open()
  await store.accept(alerts.map((entry) => ({ entry, outcomes: {} })))
  const control = {
    event: (id: string) => store.find(id),
    events: (query: { limit: number; before?: number }) => store.list(query),
    later: (id: string) => store.later(id),
  }
  const report = async (one: AlertEvent) => render(one, { timeZone: 'UTC', service: 'the service' })
  const { rows } = await readAlerts(control, { limit: 100 })
  const shownRows = rows.filter(({ entry }) => shown.some(({ id }) => id === entry.id))
  return changesOf(shownRows, { control, report })
}

describe('an entry of a feed', () => {
  test('is one change, even if it was reported both ways, and the second report is no update', async () => {
    const first = alert({ id: 'evt_1', receivedAt: daysAgo(3) })
    const other = finding({ id: 'poll_1', sameAs: 'evt_1', receivedAt: daysAgo(1) })
    const changes = await changesIn([first, other])
    expect(changes).toMatchObject([{ first: 'evt_1', shown: { id: 'evt_1' }, updated: daysAgo(3) }])
  })

  test('of a finding that is withdrawn says so, at the time of that', async () => {
    const polled = finding({ id: 'poll_1', receivedAt: daysAgo(3) })
    const taken = finding({
      id: 'poll_2',
      revises: 'poll_1',
      before: reportedAlert(polled),
      receivedAt: daysAgo(1),
    })
    const [change, ...others] = await changesIn([polled, taken])
    expect(others).toEqual([])
    expect(change).toMatchObject({ first: 'poll_1', published: daysAgo(3), updated: daysAgo(1) })
    expect(change?.message.headline).toMatch(/^(Withdrawn|Correction)/)
  })

  test('keeps its id even if only its correction is requested, long after', async () => {
    const first = alert({ id: 'evt_1', receivedAt: daysAgo(40) })
    const second = alert({
      id: 'evt_1~2',
      delta: 2,
      revises: 'evt_1',
      before: reportedAlert(first),
      receivedAt: daysAgo(39),
    })
    const third = alert({
      id: 'evt_1~3',
      delta: 4,
      revises: 'evt_1~2',
      before: reportedAlert(second),
      receivedAt: daysAgo(38),
    })
    const all = await changesIn([first, second, third])
    expect(all).toMatchObject([{ first: 'evt_1', shown: { id: 'evt_1~3' }, updated: daysAgo(38) }])
    const some = await changesIn([first, second, third], [third])
    expect(some).toMatchObject([{ first: 'evt_1', shown: { id: 'evt_1~3' }, published: daysAgo(40) }])
    const alone = await changesIn([second])
    expect(alone).toMatchObject([{ first: 'evt_1', shown: { id: 'evt_1~2' } }])
  })

  test('that says nothing new of it is no update', async () => {
    const first = alert({ id: 'evt_1', receivedAt: daysAgo(3) })
    const again = alert({ id: 'evt_1~2', revises: 'evt_1', receivedAt: daysAgo(1) })
    expect(await changesIn([first, again])).toMatchObject([{ first: 'evt_1', updated: daysAgo(3) }])
  })
})

test('ids hang on the installation and the event alone; the address of the console does not matter', async () => {
  const changes = await changesIn([alert()])
  const at = (root: string, key: string) => {
    const addresses = { self: `${root}/feed.atom`, home: root, next: undefined }
    return feedOf(changes, { filters: {}, root, key, ...addresses })
  }
  const [one, moved, other] = [
    at('http://127.0.0.1/console', 'k'),
    at('https://b.example/c', 'k'),
    at('https://b.example/c', 'x'),
  ]
  expect([moved.id, moved.entries[0]?.id]).toEqual([one.id, one.entries[0]?.id])
  expect(other.entries[0]?.id).not.toBe(one.entries[0]?.id)
})
