import { expect, test } from 'vitest'
import { delivery } from '../../support/app.ts'
import { hourMs, minuteMs } from './desk.ts'
import { openNewsroom } from './newsroom.ts'

const change = { model: 'claude', category: 'political', delta: 25, type: 'censorship_spike' }
const withLevels = /Claude now refuses more political prompts: [\d.]+ %, up [\d.]+ points from [\d.]+ %\./
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
  expect(text).toMatch(withLevels)
  expect(text).toMatch(
    /Reported change: \+25 percentage points\n {2}Before: [\d.]+ %.* in \d+ readings before/,
  )
  expect(text).toMatch(/\n {2}Now: [\d.]+ % .*\(.*\)\n {2}How sure: \+[\d.]+ points \(95 %: /)
})

test('figures that come after the report are part of its alert, and no alert of their own', async () => {
  const newsroom = await openNewsroom({ publicUrl: false })
  await newsroom.pass(5 * minuteMs)
  const changedAt = newsroom.clock.now()
  expect(await newsroom.deliver(delivery('evt_1', changedAt, data(changedAt)))).toBe(202)
  const [first] = newsroom.shown('desk')
  expect(first).toContain('Claude refuses 25 percentage points more political prompts.')
  expect(first).toContain('Not visible in the published figures yet.')
  await newsroom.fire(change)
  await newsroom.pass(5 * minuteMs)
  const [, found] = await newsroom.alerts()
  expect(found?.entry).toMatchObject({ sameAs: 'evt_1', figures: { levels: { category: 'political' } } })
  expect(newsroom.shown('desk')).toHaveLength(1)
})

test.each([
  ['polling is off', { mode: 'off' }, 'political', 'Bluepencil does not read the published figures.'],
  [
    'its category is not published',
    {},
    'sports',
    'The published figures do not show the level before and after.',
  ],
])('figures that never come: where %s, the alert says so', async (_, polling, category, sentence) => {
  const newsroom = await openNewsroom({ publicUrl: false, polling })
  if (!('mode' in polling)) await newsroom.pass(5 * minuteMs)
  const detected_at = new Date(newsroom.clock.now()).toISOString()
  const body = delivery('evt_1', 0, { data: { category, delta: '+25pp', detected_at } })
  expect(await newsroom.deliver(body)).toBe(202)
  if (!('mode' in polling)) await newsroom.pass(5 * minuteMs)
  const [text, ...more] = newsroom.shown('desk')
  expect(more).toEqual([])
  expect(text?.split(sentence)).toHaveLength(2)
  expect(text).toContain(`Claude refuses 25 percentage points more ${category} prompts.`)
})
