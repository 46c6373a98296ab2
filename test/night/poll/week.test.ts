import { expect, test } from 'vitest'
import { sameChangeMs } from '../../../src/decide/accept/correlate.ts'
import { accountFor } from '../../../src/record/ledger/account.ts'
import { hourMs } from '../../system/poll/desk.ts'
import { openNewsroom } from '../../system/poll/newsroom.ts'

const rise = 'censorship_spike'

test('a week with the subscription removed and restored and the service down twice: each change is sent once, and the ledger has all', {
  timeout: 120_000,
}, async () => {
  // The plan's own pace has a day of its own in day.test.ts.
  const newsroom = await openNewsroom({
    publicUrl: true,
    polling: { interval: '10m' },
    models: ['chatgpt', 'claude', 'gemini', 'mistral', 'qwen'],
  })
  const { pass, fire, control } = newsroom
  const changes: string[] = []
  const change = async (model: string, category: string, delta: number, type = rise) => {
    changes.push(await fire({ model, category, delta, type }))
  }
  /** Six hours; every model is read anew at their end. */
  const quarter = async () => {
    await pass(6 * hourMs)
    await control('POST', '/world', { measure: true })
  }
  await quarter()

  // Day 1: all is well; deliveries come, the figures agree.
  await change('claude', 'political', 28)
  await quarter()
  await change('mistral', 'safety', 26)
  await quarter()
  await quarter()

  // Day 2: the subscription is gone; what changes before that is seen comes by the figures alone.
  await control('DELETE', '/webhooks')
  await change('gemini', 'political', 30)
  await quarter()
  expect(await newsroom.readyz()).toMatchObject({ subscription: { state: 'active' } })
  await quarter()
  await change('qwen', 'safety', 27)
  await quarter()
  await quarter()

  // Day 3: the service is down for five hours; deliveries go out all the same.
  await control('POST', '/world', { down: true })
  await pass(hourMs)
  await change('chatgpt', 'political', 27)
  await pass(4 * hourMs)
  await control('POST', '/world', { down: false })
  await pass(hourMs)
  await quarter()
  await newsroom.restart()
  await quarter()
  await quarter()

  // Day 4 and 5: it is down again, the subscription is gone with it, and two models change.
  await control('DELETE', '/webhooks')
  await control('POST', '/world', { down: true })
  await change('mistral', 'political', 31)
  await pass(3 * hourMs)
  await change('qwen', 'political', 29)
  await pass(3 * hourMs)
  await control('POST', '/world', { down: false })
  for (let quarters = 0; quarters < 6; quarters++) await quarter()

  // The end of the week is calm.
  await change('gemini', 'safety', 26, 'policy_change')
  for (let quarters = 0; quarters < 5; quarters++) await quarter()

  const alerts = await newsroom.alerts()
  const told = alerts.filter(({ entry }) => entry.sameAs === null).map(({ entry }) => entry)
  expect(told.map(({ model }) => model)).toEqual([
    'claude',
    'mistral',
    'gemini',
    'qwen',
    'chatgpt',
    expect.stringMatching(/mistral|qwen/),
    expect.stringMatching(/mistral|qwen/),
    'gemini',
  ])
  expect(newsroom.shown('desk')).toHaveLength(changes.length)
  // Changes without a delivery have the figures as their only source; all others have both.
  expect(told.filter(({ source }) => source === 'poll')).toHaveLength(3)
  expect(alerts.filter(({ entry }) => entry.sameAs !== null)).toHaveLength(5)
  const ledger = accountFor({
    entries: (await newsroom.entries()).map(({ entry }) => entry),
    from: '2026-03-01',
    to: '2026-03-08',
    now: newsroom.clock.now(),
    windowMs: sameChangeMs,
    polling: null,
  })
  expect(ledger.total).toMatchObject({ webhookOnly: 0, pollingOnly: 3, both: 5, webhookFirst: 5 })
  expect(await newsroom.mostInAnHour()).toBeLessThanOrEqual(75)
})
