import { expect, test } from 'vitest'
import type { PollClient } from '../../../src/intake/poll/fetch.ts'
import { delivery } from '../../support/app.ts'
import { dayMs, hourMs, minuteMs, openDesk, start } from './desk.ts'
import { measuring } from './measuring.ts'
import { openNewsroom } from './newsroom.ts'

const change = { model: 'claude', category: 'political', delta: 25, type: 'censorship_spike' }
const withLevels = /Claude refused [\d.]+% of political prompts, up from [\d.]+%\./
const data = (at: number) => ({
  data: { category: 'political', delta: '+25pp', detected_at: new Date(at).toISOString() },
})

test('figures that come before the report: the alert has the levels, and the report adds none', async () => {
  const newsroom = await openNewsroom({ publicUrl: false })
  await newsroom.pass(5 * minuteMs)
  const changedAt = newsroom.clock.now()
  await newsroom.fire(change)
  await newsroom.pass(2 * minuteMs)
  expect(newsroom.shown('desk')).toEqual([expect.stringMatching(withLevels)])
  expect(await newsroom.deliver(delivery('evt_1', changedAt, data(changedAt)))).toBe(202)
  await newsroom.pass(5 * minuteMs)
  const [found, reported, ...more] = await newsroom.alerts()
  expect(more).toEqual([])
  expect(newsroom.shown('desk')).toHaveLength(1)
  expect(reported?.entry).toMatchObject({
    id: 'evt_1',
    sameAs: found?.entry.id,
    figures: { state: 'visible', levels: { category: 'political', since: found?.entry.detectedAt } },
  })
})

test('figures that are known when the report comes: its alert has the levels at once', async () => {
  let changedAt = 0
  const newsroom = await openNewsroom({
    publicUrl: false,
    async before(sandbox, clock) {
      changedAt = clock.now()
      sandbox.fire(change)
      await clock.advance(hourMs)
    },
  })
  await newsroom.pass(5 * minuteMs)
  expect(newsroom.shown('desk')).toEqual([])
  expect(await newsroom.deliver(delivery('evt_1', changedAt, data(changedAt)))).toBe(202)
  const [text, ...more] = newsroom.shown('desk')
  expect(more).toEqual([])
  // The readings agree with the reported size, but for their noise: that size is the headline's.
  expect(text).toContain('Claude’s refusal rate on political prompts rose 25 points.')
  expect(text).toMatch(
    /Reported change: \+25 percentage points\n {2}Before: [\d.]+%.* in \d+ readings before/,
  )
  expect(text).toMatch(
    /\n {2}Now: [\d.]+% .*\(.*\)\n {2}How sure: Very unlikely to be chance \(95% range \+[\d.]+ to \+[\d.]+ points\)\n/,
  )
})

test('figures that come after the report are part of its alert, and no alert of their own', async () => {
  const newsroom = await openNewsroom({ publicUrl: false })
  await newsroom.pass(5 * minuteMs)
  const changedAt = newsroom.clock.now()
  expect(await newsroom.deliver(delivery('evt_1', changedAt, data(changedAt)))).toBe(202)
  const [first] = newsroom.shown('desk')
  expect(first).toContain('Claude’s refusal rate on political prompts rose 25 points.')
  // Nobody has looked since.
  expect(first).not.toContain('Not visible in the published figures yet.')
  await newsroom.fire(change)
  await newsroom.pass(5 * minuteMs)
  const [, found] = await newsroom.alerts()
  expect(found?.entry).toMatchObject({ sameAs: 'evt_1', figures: { levels: { category: 'political' } } })
  expect(newsroom.shown('desk')).toHaveLength(1)
})

test('a report is said not to be visible if the figures were read since and do not show it', async () => {
  const newsroom = await openNewsroom({ publicUrl: false })
  await newsroom.pass(5 * minuteMs)
  const changedAt = newsroom.clock.now()
  await newsroom.pass(2 * minuteMs)
  expect(await newsroom.deliver(delivery('evt_1', changedAt, data(changedAt)))).toBe(202)
  expect(newsroom.shown('desk')).toEqual([
    expect.stringContaining('Not visible in the published figures yet.'),
  ])
})

test('a reading that has only a date is of a change that was detected before it was first read', async () => {
  let now = () => start
  const service = measuring(dayMs, 40, () => now(), { rate: 0.6 })
  const client: PollClient = {
    ...service,
    async compare(models, signal) {
      const answer = await service.compare(models, signal)
      const dated = answer.models.map((one) => ({
        ...one,
        lastUpdated: `${one.lastUpdated?.slice(0, 10)}T00:00:00.000Z`,
        isDateOnly: true as const,
      }))
      return { ...answer, models: dated }
    },
  }
  const desk = await openDesk({ poll: { client } })
  now = desk.clock.now
  const poller = desk.startPoller()
  // It measures 12 hours after the start, and again a day later.
  await desk.pass(poller, 13 * hourMs)
  const seenAt = (hours: number) =>
    poller.seen({
      model: 'claude',
      category: 'overall',
      delta: 40,
      detectedAt: new Date(start + hours * hourMs).toISOString(),
    })
  expect(seenAt(11)).toMatchObject({ state: 'visible', levels: { now: { readings: 1 } } })
  expect(seenAt(12.5)).toMatchObject({ state: 'not-shown' })
  const [found] = desk.taken
  const firstRead = Date.parse(found?.figures?.levels?.firstRead ?? '')
  expect(firstRead).toBeGreaterThanOrEqual(start + 12 * hourMs)
  expect(firstRead).toBeLessThan(start + 12.1 * hourMs)
})

test.each([
  ['polling is off', { mode: 'off' }, 'political', 'not-read'],
  ['its category is not published', {}, 'sports', 'not-shown'],
] as const)(
  'figures that never come: if %s, the alert gives the size alone',
  async (_, polling, category, state) => {
    const newsroom = await openNewsroom({ publicUrl: false, polling })
    if (!('mode' in polling)) await newsroom.pass(5 * minuteMs)
    const detected_at = new Date(newsroom.clock.now()).toISOString()
    const body = delivery('evt_1', 0, { data: { category, delta: '+25pp', detected_at } })
    expect(await newsroom.deliver(body)).toBe(202)
    if (!('mode' in polling)) await newsroom.pass(5 * minuteMs)
    const [text, ...more] = newsroom.shown('desk')
    expect(more).toEqual([])
    expect(text).not.toMatch(/figures/i)
    expect((await newsroom.alerts())[0]?.entry).toMatchObject({ figures: { state } })
    expect(text).toContain(`Claude’s refusal rate on ${category} prompts rose 25 points.`)
  },
)
