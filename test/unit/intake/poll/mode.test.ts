import { expect, test } from 'vitest'
import { decide, recallDeliveries, type WebhookHealth } from '../../../../src/intake/poll/mode.ts'
import type { ModeDecision } from '../../../../src/intake/poll/state.ts'
import { alert } from '../../../support/fakes/events.ts'
import { createMemoryBacking } from '../../../support/memory-store.ts'

const minute = 60_000
const now = Date.parse('2026-03-01T09:00:00Z')
const healthy: WebhookHealth = {
  configured: 'auto',
  subscription: { state: 'active' },
  deliveredAt: now,
  refused: { forged: 0, unsigned: 0, noSecret: 0, at: 0 },
  delivered: [],
  found: [],
}
const at = (known: Partial<WebhookHealth>, before?: ModeDecision, when = now) =>
  decide({ ...healthy, ...known }, before ?? null, when)

test('while webhooks are healthy polling is a cross-check', () => {
  expect(at({})).toMatchObject({ mode: 'slow', reason: 'webhooks are healthy', trouble: false })
})

test.each<[string, Partial<WebhookHealth>, string, boolean]>([
  [
    'no public address',
    { subscription: undefined, deliveredAt: null },
    'webhook.publicUrl is not set',
    false,
  ],
  ['a missing subscription', { subscription: { state: 'missing', why: 'None.' } }, 'is missing: None', true],
  ['an inactive subscription', { subscription: { state: 'inactive' } }, 'is inactive', true],
  ['a service that is away', { subscription: { state: 'unreachable' } }, 'is unreachable', false],
  ['a key that may not subscribe', { subscription: { state: 'refused' } }, 'is refused', true],
  ['forged deliveries', { refused: { forged: 3, unsigned: 0, noSecret: 0, at: now } }, 'do not match', false],
  ['no secret', { refused: { forged: 0, unsigned: 0, noSecret: 1, at: now } }, 'no secret', false],
  [
    'unsigned deliveries',
    { refused: { forged: 0, unsigned: 20, noSecret: 0, at: now } },
    'no signature',
    false,
  ],
  [
    'changes without a delivery',
    { found: [{ id: 'poll_1', model: 'claude', rises: true, at: now - 40 * minute }] },
    'a change for which no webhook',
    true,
  ],
  ['always', { configured: 'always' }, 'polling.mode is always', false],
])('%s: full rate, and why', (_, known, reason, trouble) => {
  expect(at(known)).toMatchObject({ mode: 'full', reason: expect.stringContaining(reason), trouble })
})

test('one forged delivery, or three of yesterday, change nothing', () => {
  expect(at({ refused: { forged: 1, unsigned: 19, noSecret: 0, at: now } }).mode).toBe('slow')
  expect(at({ refused: { forged: 9, unsigned: 0, noSecret: 0, at: now - 61 * minute } }).mode).toBe('slow')
})

test('a subscription made by hand counts for as long as deliveries come', () => {
  const byHand = { subscription: undefined, deliveredAt: now - 6 * 24 * 60 * minute }
  expect(at(byHand).mode).toBe('slow')
  expect(at(byHand, undefined, now + 2 * 24 * 60 * minute).mode).toBe('full')
})

test('full rate goes on for a quarter of an hour after its reason is gone, and begins anew where it comes back', () => {
  const lost = at({ subscription: { state: 'missing' } })
  const calm = at({}, lost, now + minute)
  expect(calm).toMatchObject({ mode: 'full', reason: lost.reason, calmSince: now + minute })
  const again = at({ subscription: { state: 'missing' } }, calm, now + 10 * minute)
  expect(again).toMatchObject({ mode: 'full', since: now, calmSince: null })
  const later = at({}, at({}, again, now + 11 * minute), now + 25 * minute)
  expect(later.mode).toBe('full')
  expect(at({}, later, now + 26 * minute)).toMatchObject({ mode: 'slow', since: now + 26 * minute })
})

test('after a restart, before the subscription was looked at, what was decided stands', () => {
  const lost = at({ subscription: { state: 'missing' } })
  expect(at({ subscription: { state: 'unknown' } }, lost, now + minute).mode).toBe('full')
  expect(at({ subscription: { state: 'unknown' } }).mode).toBe('slow')
})

test('once our own address is set, the reason for full rate is no longer that it is missing', () => {
  const without = at({ subscription: undefined, deliveredAt: null })
  const unchecked = at({ subscription: { state: 'unknown' }, deliveredAt: null }, without, now + 1_000)
  expect(unchecked).toMatchObject({ mode: 'full', reason: 'the subscription has not been checked yet' })
  expect(at({ deliveredAt: null }, unchecked, now + 2_000)).toMatchObject({
    mode: 'full',
    reason: 'webhooks are healthy; full rate goes on for 15 minutes to be sure',
    since: now,
  })
})

test('off is off', () => {
  expect(at({ configured: 'off', subscription: undefined })).toMatchObject({ mode: 'off', trouble: false })
})

test('the next process that polls also gets what others accepted meanwhile, each once and oldest first', async () => {
  const backing = createMemoryBacking({ now: () => 0, sleep: async () => {} })
  const [here, elsewhere] = [backing.open(), backing.open()]
  const heard = await recallDeliveries(here, () => {})
  for (const [minute, id] of ['one', 'two', 'three'].entries()) {
    const entry = alert({ id, receivedAt: new Date(minute * 60_000).toISOString() })
    await elsewhere.accept([{ entry, outcomes: {} }])
    if (id === 'two') heard.add(entry, Date.parse(entry.receivedAt))
  }
  expect(heard.all().map(({ event }) => event.id)).toEqual(['two'])
  await heard.recall()
  expect(heard.all().map(({ event }) => event.id)).toEqual(['one', 'two', 'three'])
})
