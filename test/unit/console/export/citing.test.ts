import { expect, test } from 'vitest'
import { shownLater } from '../../../../src/accept/later.ts'
import { systemClock } from '../../../../src/clock.ts'
import { citedOf } from '../../../../src/console/export/citing.ts'
import type { ConsoleParts } from '../../../../src/console/parts.ts'
import type { AlertEvent } from '../../../../src/event/event.ts'
import { otherContentId } from '../../../../src/event/ids.ts'
import { render } from '../../../../src/render/render.ts'
import { createMemoryBacking } from '../../../../src/store/memory/backing.ts'
import { alert } from '../../../support/fakes/events.ts'

const by = 'service'
const headline = 'Claude refuses 12 percentage points more political prompts.'

/** The headline in a citation of `evt_1`, where these came after it. */
async function citedWith(others: AlertEvent[]): Promise<string> {
  const store = createMemoryBacking(systemClock).open()
  await store.accept([alert(), ...others].map((entry) => ({ entry, outcomes: {} })))
  const parts = {
    report: async (one: AlertEvent) =>
      render(one, {
        timeZone: 'UTC',
        service: 'the service',
        ...shownLater(await store.later(one.id)),
      }),
    config: () => ({}),
    clock: { now: () => Date.parse('2026-12-24T08:00:00.000Z') },
  }
  const { headline: cited } = await citedOf(
    alert(),
    'https://desk.example/console',
    parts as unknown as ConsoleParts,
  )
  return cited
}

test('a citation says that the alert was corrected where the correction came under its id', async () => {
  const corrected = alert({ id: otherContentId('evt_1', 2), revises: 'evt_1', before: { ...alert(), by } })
  expect(await citedWith([corrected])).toBe(`Since corrected: ${headline}`)
})

test('another change under the same id is no correction; what comes under it later may be one', async () => {
  expect(await citedWith([alert({ id: otherContentId('evt_1', 2) })])).toBe(headline)
  expect(await citedWith([])).toBe(headline)
  const late = alert({ id: otherContentId('evt_1', 3), revises: 'evt_1', before: { ...alert(), by } })
  expect(await citedWith([alert({ id: otherContentId('evt_1', 2) }), late])).toBe(
    `Since corrected: ${headline}`,
  )
})
