import { expect, test } from 'vitest'
import { citedOf } from '../../../../src/console/export/citing.ts'
import type { ConsoleParts } from '../../../../src/console/parts.ts'
import type { AlertEvent } from '../../../../src/event/event.ts'
import { otherContentId } from '../../../../src/event/ids.ts'
import { alert } from '../../../support/fakes/events.ts'

const by = 'service'
const headline = 'Claude refuses 12 percentage points more political prompts.'

/** As it is after two weeks: what readers are shown of an alert no longer says that it was corrected. */
async function citedWith(others: AlertEvent[]): Promise<string> {
  const parts = {
    control: {
      event: async (id: string) => {
        const entry = others.find((one) => one.id === id)
        return entry && { seq: 2, entry, outcomes: {} }
      },
    },
    report: async () => ({ headline, about: null }),
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

test('a citation of an old alert says that it was corrected where the correction came under its id', async () => {
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
