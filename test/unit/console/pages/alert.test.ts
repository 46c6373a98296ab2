import { expect, test } from 'vitest'
import { alertPage } from '../../../../src/console/pages/alert.ts'
import type { Act } from '../../../../src/event/act.ts'
import { alert } from '../../../support/fakes/events.ts'

test('hundreds of acknowledgements make no page of megabytes: the newest are shown, and how many came before', () => {
  const acts = Array.from(
    { length: 600 },
    (_, number): Act => ({
      kind: 'act',
      id: `act_${number}`,
      by: { name: `person${number}`, via: 'slack' },
      receivedAt: '2026-11-21T13:05:02.000Z',
      does: 'acknowledge',
      about: 'evt_1',
    }),
  )
  const lines = acts.map(({ by }) => `Acknowledged by ${by.name} on 21 Nov 2026, 14:05 CET.`)
  const { body } = alertPage(
    {
      entry: alert(),
      message: undefined,
      explained: { title: 'It rose', came: 'by webhook', marks: [], members: [], outcomes: [] },
      acts,
      outcomes: {},
      links: new Set(),
      messages: Array.from({ length: 44 }, () => ({ head: 'As it was sent', lines })),
      hasChart: false,
      shared: undefined,
      mayAct: false,
    },
    { base: '/console', token: '', timeZone: 'UTC', now: Date.parse('2026-11-21T14:05:02.000Z') },
  )
  const page = String(body)
  expect(page.length).toBeLessThan(400_000)
  expect(page).toContain('499 more before these are in the audit log.')
  expect(page).toContain('person599 acknowledged')
  expect(page).not.toContain('person499 acknowledged')
})
